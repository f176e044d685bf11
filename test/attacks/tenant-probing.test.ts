import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openDashboard, type Dashboard } from "../support/people/dashboard.js";
import { outcomeReport } from "../support/people/client-requests.js";
import {
  decisionBody,
  send,
  untilAnswered,
  type Reply,
  type RunningService,
} from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";
import { createKey, createWorkspace, newId, publish } from "../support/people/tenants.js";

/**
 * A request for another workspace's object gets the same bytes as one for an object that does not exist.
 * auth-isolation.test.ts covers the decision detail in all spellings, and access-matrix.test.ts covers keys and
 * members.
 */
let service: RunningService;
let own: { key: string; dashboard: Dashboard };
let foreign: { decisionId: string; policyId: string; merchantId: string };
before(async () => {
  service = await sharedTestService();
  const [mine, theirs] = await Promise.all([
    createWorkspace(service, { merchants: ["shop"] }),
    createWorkspace(service, { merchants: ["shop", "their_shop"] }),
  ]);
  const theirKey = await createKey(service.pool, theirs, { mode: "live" });
  const body = decisionBody({ merchant_id: "their_shop" });
  const decided = await send(service, "POST", "/v1/decision", { body, key: theirKey });
  const policy = await publish(service, {
    workspaceId: theirs,
    merchantId: "their_shop",
    key: theirKey,
    rules: [{ name: "Hold", then: { type: "hold" } }],
  });
  foreign = {
    decisionId: String(decided.json["decision_id"]),
    policyId: policy.policy_id,
    merchantId: "their_shop",
  };
  own = {
    // The key is in live mode like the other workspace's, so that the mode does not separate them.
    key: await createKey(service.pool, mine, { mode: "live" }),
    dashboard: await openDashboard(service, mine),
  };
});

const withKey = (method: string, path: string, body?: unknown): Promise<Reply> =>
  send(service, method, path, { key: own.key, ...(body === undefined ? {} : { body }) });

/** An answer without the parts that differ between any two answers. */
const comparable = ({ status, headers, text }: Reply): unknown => ({
  status,
  headers: [...headers].filter(([name]) => name !== "x-request-id" && name !== "date"),
  text,
});

type Probe = readonly [what: string, ask: (id: string) => Promise<Reply>, status: number];
const RULES = [{ name: "Hold", when: {}, then: { type: "hold" } }];
const { merchant_id: _, order_id: __, ...offer } = decisionBody();

const BY_DECISION: readonly Probe[] = [
  ["its detail", (id) => withKey("GET", `/v1/decisions/${id}`), 404],
  ["its detail, at the dashboard", (id) => own.dashboard.get(`/v1/decisions/${id}`), 404],
  ["its replay", (id) => withKey("POST", `/v1/decisions/${id}/replay`), 404],
  ["an outcome of it", (id) => withKey("POST", "/v1/outcomes", outcomeReport(id)), 404],
  [
    "a review of it",
    (id) => own.dashboard.request("POST", `/v1/decisions/${id}/review`, { resolution: "approve" }),
    404,
  ],
  ["what is older", (id) => withKey("GET", `/v1/decisions?starting_after=${id}`), 200],
  ["what is newer", (id) => withKey("GET", `/v1/decisions?ending_before=${id}`), 200],
];
const BY_MERCHANT: readonly Probe[] = [
  ["a decision", (id) => withKey("POST", "/v1/decision", decisionBody({ merchant_id: id })), 403],
  ["its policies", (id) => withKey("GET", `/v1/policies/${id}`), 403],
  ["a policy", (id) => withKey("POST", "/v1/policies", { merchant_id: id, name: "x", rules: [] }), 403],
  ["a simulation", (id) => withKey("POST", "/v1/policies/simulate", { merchant_id: id, ...offer }), 403],
  [
    "a translation",
    (id) => withKey("POST", "/v1/policies/translate", { merchant_id: id, text: "Block all" }),
    403,
  ],
  [
    "a backtest",
    (id) => withKey("POST", "/v1/policies/backtest", { merchant_id: id, policy: { rules: RULES }, days: 1 }),
    403,
  ],
  ["its prices", (id) => withKey("GET", `/v1/pricing/rules/${id}`), 403],
  [
    "a webhook secret",
    (id) => own.dashboard.request("PUT", "/v1/integrations/provider_1/webhook-secret", { merchant_id: id }),
    403,
  ],
];
const BY_POLICY: readonly Probe[] = [
  ["its publication", (id) => withKey("POST", `/v1/policies/${id}/publish`), 404],
];
const GROUPS: readonly [
  what: string,
  probes: readonly Probe[],
  foreignId: () => string,
  unknownId: () => string,
][] = [
  ["decision", BY_DECISION, () => foreign.decisionId, () => newId("dec")],
  ["merchant", BY_MERCHANT, () => foreign.merchantId, () => "no_such_shop"],
  ["policy", BY_POLICY, () => foreign.policyId, () => newId("pol")],
];

describe("another workspace's ids look unknown, byte for byte", () => {
  for (const [what, probes, foreignId, unknownId] of GROUPS) {
    for (const [which, ask, status] of probes) {
      it(`${what}: ${which}`, async () => {
        const theirs = await untilAnswered(() => ask(foreignId()));
        const nobodys = await untilAnswered(() => ask(unknownId()));
        assert.equal(theirs.status, status, theirs.text);
        assert.deepEqual(comparable(theirs), comparable(nobodys));
        assert.doesNotMatch(theirs.text, /their_shop/);
      });
    }
  }

  it("one's own lists, aggregates and reports contain nothing of theirs", async () => {
    const list = await untilAnswered(() => withKey("GET", "/v1/decisions?order_id=order_1&page_size=100"));
    const rows = list.json["decisions"] as { merchant_id: string }[];
    assert.ok(rows.every(({ merchant_id: merchantId }) => merchantId === "shop"));
    for (const path of ["/v1/decisions/aggregate", "/v1/decisions/shadow-report", "/v1/provider-health"]) {
      const { status, text } = await untilAnswered(() => withKey("GET", path));
      assert.equal(status, 200);
      assert.doesNotMatch(text, /their_shop/);
      assert.ok(!text.includes(foreign.decisionId));
    }
    for (const path of ["/v1/integrations", "/v1/admin/merchants", "/v1/admin/audit-log", "/v1/team"]) {
      const { status, text } = await untilAnswered(() => own.dashboard.get(path));
      assert.equal(status, 200);
      assert.doesNotMatch(text, /their_shop/);
    }
  });
});
