import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as fc from "fast-check";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { HEALTH_STATES } from "../../../src/domain/vocabulary/vocabulary.js";
import {
  previousAttempt,
  PROVIDER_IDS,
  rule,
  riskSignals,
  transaction,
} from "../../support/generators/arbitraries.js";
import { freezeHealth, FROZEN_PROBER, type HealthChanges } from "../../support/service/frozen-health.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, createWorkspace, publish } from "../../support/people/tenants.js";

const MERCHANTS = ["shop", "shop_b"] as const;
let service: RunningService;
let workspaceId: string;
let key: string;
before(async () => {
  // The prober ticks often, so there are many health versions. The test adds its own with `freezeHealth`.
  service = await startTestService({
    DECISION_WORKERS: "2",
    RATE_LIMIT_PER_MINUTE: "0",
    PROBE_INTERVAL_MS: "100",
  });
  workspaceId = await createWorkspace(service, { merchants: MERCHANTS, riskBlockThreshold: 70 });
  key = await createKey(service.pool, workspaceId);
});

interface ReplayBody {
  decision_id: string;
  identical: boolean | null;
  differences: { path: string; recorded: unknown; replayed: unknown }[];
  missing: string[];
  rule_evaluations: { name: string; matched: boolean; failed_condition: string | null }[] | null;
}
const replay = (decisionId: string, as = key): Promise<Reply> =>
  sendRead(service, "POST", `/v1/decisions/${decisionId}/replay`, { key: as });
const replayed = async (decisionId: string): Promise<ReplayBody> => {
  const { status, json, text } = await replay(decisionId);
  assert.equal(status, 200, text);
  return json as unknown as ReplayBody;
};
const assertIdentical = async (decisionIds: readonly string[]): Promise<void> => {
  for (const decision_id of decisionIds) {
    const { identical, differences, missing } = await replayed(decision_id);
    assert.deepEqual({ identical, differences, missing }, { identical: true, differences: [], missing: [] });
  }
};
const decide = async (body: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key });
  assert.equal(status, 200, text);
  return json;
};
const decideId = async (changes: Record<string, unknown> = {}): Promise<string> =>
  String((await decide(decisionBody({ merchant_id: "shop", ...changes })))["decision_id"]);

const body = fc
  .record(
    {
      merchant_id: fc.constantFrom(...MERCHANTS),
      order_id: fc.stringMatching(/^order_[0-9]{1,4}$/),
      transaction,
      available_providers: fc.uniqueArray(fc.constantFrom(...PROVIDER_IDS), { minLength: 1 }),
      previous_attempt: previousAttempt,
      risk_signals: riskSignals,
      decision_mode: fc.constantFrom("shadow", "enforce"),
    },
    {
      requiredKeys: ["merchant_id", "order_id", "transaction", "available_providers"],
      noNullPrototype: true,
    },
  )
  .map((value) => value as Record<string, unknown>);
const policies = fc.array(fc.tuple(...Array.from({ length: 4 }, (_, i) => rule(`rule_${i}`))), {
  minLength: 4,
  maxLength: 4,
});
const health: fc.Arbitrary<HealthChanges> = fc.dictionary(
  fc
    .tuple(fc.constantFrom(...PROVIDER_IDS), fc.constantFrom("USD", "EUR", "NGN"))
    .map((pair) => pair.join(":")),
  fc.record({
    score: fc.double({ min: 0, max: 100, noNaN: true }),
    state: fc.constantFrom(...HEALTH_STATES),
  }),
);

describe("SIM-9: for every decision made by this version a replay is identical", () => {
  it("with generated policies, publishes in between, previous attempts, changing health, and after kill -9", async () => {
    const ids: string[] = [];
    const actions = new Set<unknown>();
    const versions = new Set<unknown>();
    for (const [round, rules] of (fc.sample(policies, { numRuns: 1, seed: 7 })[0] ?? []).entries()) {
      const merchantId = MERCHANTS[round % 2] as string;
      await publish(service, { workspaceId, merchantId, key, rules });
      for (const changes of fc.sample(health, { numRuns: 3, seed: round })) {
        await freezeHealth(service, changes);
        const bodies = fc.sample(body, { numRuns: 12, seed: round * 100 + ids.length });
        for (const decided of await Promise.all(bodies.map(decide))) {
          ids.push(String(decided["decision_id"]));
          actions.add(decided["action"]);
          versions.add((decided["policy"] as { policy_version: unknown }).policy_version);
        }
      }
    }
    assert.equal(ids.length, 144);
    assert.ok(actions.size >= 3, `only ${[...actions].join()}`);
    assert.ok(versions.size >= 3, `only ${[...versions].join()}`);
    await assertIdentical(ids);
    const last = await Promise.all(fc.sample(body, 20).map(decide));
    await service.killAndRestart();
    await assertIdentical([...ids.slice(0, 20), ...last.map((decided) => String(decided["decision_id"]))]);
  });

  it("uses the workspace's settings and the live policy of that time", async () => {
    const risky = { transaction: { ...(decisionBody()["transaction"] as object), risk_score: 60 } };
    const id = await decideId(risky);
    await service.pool.query(
      "update workspaces set risk_block_threshold = 50, default_decision_mode = 1 where workspace_id = $1",
      [idToHex(workspaceId)],
    );
    await publish(service, {
      workspaceId,
      merchantId: "shop",
      key,
      rules: [{ name: "all", then: { type: "block" } }],
    });
    const now = await decide(decisionBody({ merchant_id: "shop", ...risky }));
    assert.deepEqual([now["action"], now["decision_mode"]], ["block", "shadow"]);
    await assertIdentical([id, String(now["decision_id"])]);
  });

  it("says whether each rule of the deciding version matched, or which condition failed", async () => {
    const rules = [
      { name: "guests", when: { customer_type_in: ["guest" as const] }, then: { type: "step_up" as const } },
      {
        name: "large euros",
        when: { currency_in: ["EUR"], amount_gte: 1 },
        then: { type: "hold" as const },
      },
    ];
    await publish(service, { workspaceId, merchantId: "shop", key, rules });
    const guest = { ...(decisionBody()["transaction"] as object), customer_type: "guest" };
    const id = await decideId({ transaction: guest });
    // A newer version must not change an older decision.
    await publish(service, { workspaceId, merchantId: "shop", key, rules: [] });
    const { rule_evaluations } = await replayed(id);
    assert.deepEqual(
      rule_evaluations?.map(({ name, matched, failed_condition }) => [name, matched, failed_condition]),
      [
        ["guests", true, null],
        ["large euros", false, "currency_in"],
      ],
    );
  });

  it("counts nothing, because a replay is no decision", async () => {
    const total = async () => (await sendRead(service, "GET", "/v1/decisions", { key })).json["total"];
    const id = await decideId();
    const earlier = await total();
    await assertIdentical([id, id]);
    assert.equal(await total(), earlier);
  });
});

describe("replay: the record of the health that decisions saw", () => {
  it("has one row for each content, however many decisions saw it", async () => {
    const other = await startTestService({ ...FROZEN_PROBER, DECISION_WORKERS: "1" });
    await freezeHealth(other, {});
    const bodies = ["USD", "EUR", "USD"].flatMap((currency) =>
      Array.from({ length: 5 }, () =>
        decisionBody({ transaction: { ...(decisionBody()["transaction"] as object), currency } }),
      ),
    );
    for (const sent of bodies) {
      assert.equal((await send(other, "POST", "/v1/decision", { body: sent })).status, 200);
    }
    await eventually(async () => {
      const { rows } = await other.pool.query<{ decisions: number; groups: number }>(
        "select (select count(*)::int from decisions) as decisions, (select count(*)::int from health_views) as groups",
      );
      assert.deepEqual(rows, [{ decisions: 15, groups: 2 }]);
    });
    await other.stop();
  });

  for (const [name, sql, missing] of [
    ["a health record", "delete from health_views", ["health"]],
    ["a policy", "delete from policies", ["policy"]],
  ] as const) {
    it(`claims nothing when ${name} is missing`, async () => {
      const id = await decideId();
      await replayed(id);
      await service.pool.query(sql);
      const result = await replayed(id);
      assert.deepEqual(result, {
        decision_id: id,
        identical: null,
        differences: [],
        missing,
        rule_evaluations: null,
        cost: null,
        economics: null,
      });
      if (name === "a policy") return;
      // The new process does not know that rows are stored already, so it writes the deleted rows again.
      await service.killAndRestart();
      await assertIdentical([await decideId()]);
    });
  }
});

describe("replay: the scope rules of the detail read", () => {
  it("the same 404 for unknown and malformed ids, and for those of another workspace, merchant or mode", async () => {
    const id = await decideId();
    const stranger = await createKey(service.pool, await createWorkspace(service));
    const { pool } = service;
    const keys = {
      scoped: await createKey(pool, workspaceId, { merchantId: "shop_b" }),
      live: await createKey(pool, workspaceId, { mode: "live" }),
    };
    const answers = [
      await replay("dec_01jd4wqk2m0000000000000000"),
      await replay("nonsense"),
      await replay(id, stranger),
      await replay(id, keys.scoped),
      await replay(id, keys.live),
    ];
    for (const { status, text } of answers) {
      assert.equal(status, 404);
      assert.equal(text, answers[0]?.text);
    }
    const writer = await createKey(pool, workspaceId, { scopes: ["decision:write"] });
    assert.equal((await replay(id, writer)).status, 403);
  });
});
