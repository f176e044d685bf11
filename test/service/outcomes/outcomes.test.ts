import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { expositionOf } from "../../support/service/exposition.js";
import {
  decisionBody,
  eventually,
  send,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";
import { IS_TWO_NODES } from "../../support/two-nodes-mode.js";

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

let orders = 0;
async function decide(key = service.key, changes: Readonly<Record<string, unknown>> = {}) {
  const body = decisionBody({ order_id: `outcome_order_${orders++}`, ...changes });
  const { status, json } = await send(service, "POST", "/v1/decision", { body, key });
  assert.equal(status, 200);
  return { decision_id: json["decision_id"] as string, order_id: body["order_id"] as string };
}

type Decided = Awaited<ReturnType<typeof decide>>;

const report = (decided: Decided, changes: Readonly<Record<string, unknown>> = {}) => ({
  ...decided,
  provider_used: "provider_1",
  outcome: "approved",
  provider_latency_ms: 412,
  amount: 129_900,
  currency: "USD",
  ...changes,
});

const post = (body: unknown, key = service.key): Promise<Reply> =>
  send(service, "POST", "/v1/outcomes", { body, key });

const detail = async ({ decision_id }: Decided, key = service.key): Promise<Record<string, unknown>> =>
  (await send(service, "GET", `/v1/decisions/${decision_id}`, { key })).json;

/**
 * Of two nodes, one can store the decision at the moment in which the other stores its report. A later try then joins
 * the two. One node stores both in order.
 */
const onceJoined = <T>(check: () => Promise<T>): Promise<T> => (IS_TWO_NODES ? eventually(check) : check());

const withoutId = ({ status, text, headers }: Reply) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== "x-request-id" && name !== "date"),
});

describe("Outcome", () => {
  it("FMT-7, OUT-8, RES-2, SVC-3: answers the response of the specification, field by field", async () => {
    const decided = await decide();
    const { status, json } = await post(report(decided));
    assert.equal(status, 200);
    assert.deepEqual(json, {
      outcome_id: `out_${decided.decision_id.slice(4)}`,
      decision_id: decided.decision_id,
      outcome: "approved",
      failure_class: "none",
      technical_failure_type: null,
      approved: true,
    });
  });

  it("LOG-11, OUT-13: appears in the decision's detail at once", async () => {
    const decided = await decide();
    const changes = {
      outcome: "technical_failed",
      provider_reason_code: "E42",
      technical_failure_type: "5xx",
    };
    assert.equal((await post(report(decided, changes))).status, 200);
    const outcome = await onceJoined(async () => {
      const shown = (await detail(decided))["outcome"] as Record<string, unknown> | null;
      assert.ok(shown !== null);
      return shown;
    });
    const { reported_at: reportedAt, ...rest } = outcome;
    assert.match(String(reportedAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(rest, {
      outcome: "technical_failed",
      provider_used: "provider_1",
      provider_latency_ms: 412,
      provider_reason_code: "E42",
      failure_class: "technical",
      technical_failure_type: "5xx",
      approved: false,
    });
  });

  /** The cases of OUT-4 and OUT-6. */
  const CASES: readonly [given: Record<string, unknown>, outcome: string, failureClass: string][] = [
    [{ outcome: "approved" }, "approved", "none"],
    [{ outcome: "step_up_completed" }, "step_up_completed", "none"],
    [{ outcome: "soft_declined" }, "soft_declined", "soft_decline"],
    [{ outcome: "hard_declined" }, "hard_declined", "hard_decline"],
    [{ outcome: "technical_failed" }, "technical_failed", "technical"],
    [{ outcome: "timeout" }, "timeout", "timeout"],
    [{ outcome: "rate_limited" }, "rate_limited", "rate_limit"],
    [{ outcome: "blocked" }, "blocked", "policy_block"],
    [{ outcome: "step_up_failed" }, "step_up_failed", "authentication_failed"],
    [{ outcome: "declined" }, "soft_declined", "soft_decline"],
    [{ outcome: "declined", provider_reason_code: "05" }, "soft_declined", "soft_decline"],
    [{ outcome: "declined", provider_reason_code: "LOST_CARD" }, "soft_declined", "soft_decline"],
    [{ outcome: "error" }, "technical_failed", "technical"],
    [{ outcome: "error", technical_failure_type: "connection" }, "technical_failed", "technical"],
    [{ outcome: "error", technical_failure_type: "timeout" }, "timeout", "timeout"],
    [{ outcome: "error", technical_failure_type: "rate_limited" }, "rate_limited", "rate_limit"],
    [{ outcome: "cancelled" }, "blocked", "policy_block"],
    ...[
      // The codes of OUT-7, including 14 and 46.
      ..."04 07 12 14 15 41 43 46 57 R0 R1 R3".split(" "),
      ..."stolen_card lost_card pickup_card do_not_try_again invalid_account".split(" "),
    ].map((code): [Record<string, unknown>, string, string] => [
      { outcome: "declined", provider_reason_code: code },
      "hard_declined",
      "hard_decline",
    ]),
  ];
  for (const [given, outcome, failureClass] of CASES) {
    it(`OUT-1, OUT-3, OUT-4, OUT-5, OUT-6, OUT-7: reads ${Object.values(given).join(" ")} as ${outcome}, ${failureClass}`, async () => {
      const { status, json } = await post(report(await decide(), given));
      assert.equal(status, 200);
      assert.equal(json["outcome"], outcome);
      assert.equal(json["failure_class"], failureClass);
      assert.equal(json["technical_failure_type"], given["technical_failure_type"] ?? null);
      assert.equal(json["approved"], outcome === "approved");
    });
  }
});

describe("POST /v1/outcomes", () => {
  it("OUT-9: replaces the stored outcome on a new report, and keeps outcome_id", async () => {
    const decided = await decide();
    const first = await post(report(decided, { outcome: "timeout" }));
    const second = await post(report(decided, { outcome: "approved", provider_used: "provider_2" }));
    assert.equal(second.json["outcome_id"], first.json["outcome_id"]);
    await onceJoined(async () => {
      const { outcome } = await detail(decided);
      assert.equal((outcome as Record<string, unknown>)["outcome"], "approved");
      assert.equal((outcome as Record<string, unknown>)["provider_used"], "provider_2");
    });
    const { rows } = await service.pool.query(
      "select count(*)::int as rows from outcomes where order_id = $1",
      [decided.order_id],
    );
    assert.deepEqual(rows, [{ rows: 1 }]);
  });

  it("OUT-12: finds a decision right after its response, even with many at once", async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, async () => (await post(report(await decide()))).status),
    );
    assert.deepEqual(new Set(replies), new Set([200]));
  });

  it("OUT-1: accepts created_at for backfills, and the lowest values of the contract", async () => {
    const changes = { created_at: "2026-01-31T23:59:59.123+02:00", provider_latency_ms: 0, amount: 1 };
    assert.equal((await post(report(await decide(), changes))).status, 200);
  });

  it("OUT-1, OUT-10: stores the amount and currency as reported", async () => {
    const decided = await decide();
    assert.equal((await post(report(decided, { amount: 7, currency: "KWD" }))).status, 200);
    await detail(decided);
    const { rows } = await service.pool.query(
      "select amount_minor::int as amount, currency from outcomes where order_id = $1",
      [decided.order_id],
    );
    assert.deepEqual(rows, [{ amount: 7, currency: "KWD" }]);
  });

  const INVALID: readonly [what: string, change: Record<string, unknown>, path: string, code: string][] = [
    ["an unknown field", { card_number: "x" }, "card_number", "unrecognized_keys"],
    ["a missing outcome", { outcome: undefined }, "outcome", "invalid_type"],
    ["an unknown outcome", { outcome: "won" }, "outcome", "invalid_enum_value"],
    ["an unknown provider", { provider_used: "provider_9" }, "provider_used", "invalid_enum_value"],
    ["a decimal latency", { provider_latency_ms: 1.5 }, "provider_latency_ms", "invalid_type"],
    ["a negative latency", { provider_latency_ms: -1 }, "provider_latency_ms", "too_small"],
    ["a latency no column holds", { provider_latency_ms: 2 ** 31 }, "provider_latency_ms", "too_big"],
    ["an amount of 0", { amount: 0 }, "amount", "too_small"],
    ["a currency that is none", { currency: "XYZ" }, "currency", "invalid_string"],
    ["a long reason code", { provider_reason_code: "x".repeat(65) }, "provider_reason_code", "too_big"],
    [
      "an unknown failure type",
      { technical_failure_type: "dns" },
      "technical_failure_type",
      "invalid_enum_value",
    ],
    ["a date without a time", { created_at: "2026-01-01" }, "created_at", "invalid_string"],
    ["31 February", { created_at: "2026-02-31T00:00:00Z" }, "created_at", "invalid_string"],
    ["an empty order_id", { order_id: "" }, "order_id", "too_small"],
    ["another order's id", { order_id: "of_another_decision" }, "order_id", "custom"],
  ];
  for (const [what, change, path, code] of INVALID) {
    it(`ERR-1, OUT-1, OUT-2, OUT-3, OUT-4, OUT-10: refuses ${what} with 400 ${code}`, async () => {
      const { status, json } = await post(report(await decide(), change));
      assert.equal(status, 400);
      assert.equal(json["error"], "validation_error");
      const [issue] = json["issues"] as { path: string; code: string }[];
      assert.deepEqual([issue?.path, issue?.code], [path, code]);
    });
  }

  it("ERR-17, OUT-11: gives the same 404 for a decision that is unknown, malformed, or of another workspace or mode", async () => {
    const decided = await decide();
    const workspaceId = await createWorkspace(service);
    const foreign = await decide(await createKey(service.pool, workspaceId));
    const live = await decide(await createKey(service.pool, service.workspaceId, { mode: "live" }));
    const unknown = { ...decided, decision_id: "dec_01jd3vwz6c9k2m4n6p8r0s2t4v" };
    const malformed = { ...decided, decision_id: "dec_nonsense" };
    const [first, ...others] = await Promise.all(
      [unknown, malformed, foreign, live].map(async (each) => withoutId(await post(report(each)))),
    );
    assert.equal(first?.status, 404, first?.text);
    for (const other of others) assert.deepEqual(other, first);
  });

  it("AUTH-12, AUTH-18, HTTP-7, OUT-1, OUT-11: answers 403 to a key without the scope, and to a key of another merchant", async () => {
    const workspaceId = await createWorkspace(service, { merchants: ["merchant_a", "merchant_b"] });
    const all = await createKey(service.pool, workspaceId);
    const decided = await decide(all, { merchant_id: "merchant_a" });
    const reader = await createKey(service.pool, workspaceId, { scopes: ["decision:write"] });
    const refused = await post(report(decided), reader);
    assert.equal(refused.status, 403);
    assert.equal(refused.json["message"], "API key is missing scopes: outcome:write");
    const other = await post(
      report(decided),
      await createKey(service.pool, workspaceId, { merchantId: "merchant_b" }),
    );
    assert.equal(other.status, 403);
    assert.equal(other.json["message"], "API key is scoped to a different merchant");
    const own = await createKey(service.pool, workspaceId, { merchantId: "merchant_a" });
    assert.equal((await post(report(decided), own)).status, 200);
  });

  it("HTTP-17: accepts a body of 16 KiB, and answers a larger one with 413", async () => {
    const text = JSON.stringify(report(await decide()));
    const limit = 16 * 1024;
    assert.equal((await post(text.padEnd(limit))).status, 200);
    assert.equal((await post(text.padEnd(limit + 1))).status, 413);
  });

  it("counts outcomes for Prometheus", async () => {
    await post(report(await decide(), { outcome: "step_up_failed" }));
    const metrics = await expositionOf(service);
    assert.match(metrics, /^payinference_outcomes_total\{outcome="step_up_failed",mode="test"\} [1-9]/m);
  });
});
