import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { PayInferenceClient, type DecisionRequest, type SafeDefault } from "payinference/client";
import { retryDelayMs } from "../../../src/client/retry.js";
import { decisionRequest } from "../../support/people/client-requests.js";
import { unlessLate } from "../../support/people/client-results.js";
import { freePort } from "../../support/machine/free-port.js";

/** Nobody listens at this address. */
const baseUrl = `http://127.0.0.1:${await freePort()}`;

async function fallbackOf(
  request: DecisionRequest,
  safeDefault?: SafeDefault | ((request: DecisionRequest) => SafeDefault),
  apiKey = "pi_test_key",
) {
  const {
    results: [result],
  } = await unlessLate(async () => {
    const client = new PayInferenceClient({ baseUrl, apiKey, ...(safeDefault && { safeDefault }) });
    return { results: [await client.decide(request)] };
  });
  assert.ok(result.ok && result.source === "fallback");
  return result;
}

describe("Client guidance: during an outage, a merchant-defined safe default", () => {
  it("CLI-3, CODE-5: is a decision of the response's shape, marked SDK_FALLBACK_USED and PAYINFERENCE_UNREACHABLE", async () => {
    const { decision, problem } = await fallbackOf(decisionRequest({ decision_mode: "shadow" }));
    const { decision_id, decision_latency_ms, ...rest } = decision;
    assert.match(decision_id, /^local_[0-9a-f-]{36}$/);
    assert.ok(decision_latency_ms >= 0);
    assert.deepEqual(rest, {
      merchant_id: "demo_merchant",
      mode: "test",
      decision_mode: "shadow",
      action: "route",
      route: { primary_provider: "provider_1", fallback_provider: "provider_2" },
      risk: { score: 0, band: "low", recommended_action: "route", reason_codes: [] },
      provider_health: {
        provider_1: { score: 50, state: "unknown", confidence: 0, source: "unknown" },
        provider_2: { score: 50, state: "unknown", confidence: 0, source: "unknown" },
      },
      policy: { policy_id: null, policy_version: null, matched_rules: [] },
      model: { model_version: "local-fallback", route_scores: { provider_1: 0, provider_2: 0 } },
      cost: null,
      economics: null,
      reason_codes: ["SDK_FALLBACK_USED", "PAYINFERENCE_UNREACHABLE"],
      ttl_ms: 3000,
    });
    assert.deepEqual(problem, { kind: "unreachable", message: "ECONNREFUSED" });
  });

  it("has the mode of the key", async () => {
    const { decision } = await fallbackOf(decisionRequest(), undefined, "pi_live_key");
    assert.equal(decision.mode, "live");
  });

  const orders: [what: string, offered: string[], failed: string | null, route: [string, string | null]][] = [
    ["the first two providers offered", ["p1", "p2", "p3"], null, ["p1", "p2"]],
    ["the only provider offered", ["p1"], null, ["p1", null]],
    ["the provider that has just failed last", ["p1", "p2", "p3"], "p1", ["p2", "p3"]],
    ["the provider that has just failed as fallback", ["p1", "p2"], "p1", ["p2", "p1"]],
    ["the provider that has just failed where it is alone", ["p1"], "p1", ["p1", null]],
    ["nothing of a failed provider that is not offered", ["p1", "p2"], "p3", ["p1", "p2"]],
  ];
  for (const [what, available_providers, failed, [primary_provider, fallback_provider]] of orders) {
    it(`routes, where the merchant gives no default, to ${what}`, async () => {
      const { decision } = await fallbackOf(
        decisionRequest({
          available_providers,
          ...(failed !== null && { previous_attempt: { provider: failed, outcome: "declined" } }),
        }),
      );
      assert.deepEqual([decision.action, decision.route], ["route", { primary_provider, fallback_provider }]);
    });
  }

  it("is the merchant's own instruction", async () => {
    const hold: SafeDefault = { action: "hold", primary_provider: "provider_5" };
    const { decision } = await fallbackOf(decisionRequest(), hold);
    assert.deepEqual(
      [decision.action, decision.route],
      ["hold", { primary_provider: "provider_5", fallback_provider: null }],
    );
  });

  it("may depend on the request, and may be a block", async () => {
    const byAmount = ({ transaction, available_providers: [first = ""] }: DecisionRequest): SafeDefault =>
      transaction.amount > 100_000
        ? { action: "block" }
        : { action: "use_default_route", primary_provider: first };
    const large = await fallbackOf(decisionRequest(), byAmount);
    assert.deepEqual([large.decision.action, large.decision.route], ["block", null]);
    const transaction = { ...decisionRequest().transaction, amount: 100 };
    const small = await fallbackOf(decisionRequest({ transaction }), byAmount);
    assert.equal(small.decision.action, "use_default_route");
  });

  it("has an id of its own each time", async () => {
    const [one, other] = [await fallbackOf(decisionRequest()), await fallbackOf(decisionRequest())];
    assert.notEqual(one.decision.decision_id, other.decision.decision_id);
    assert.notEqual(one.idempotencyKey, other.idempotencyKey);
  });
});

describe("client: backoff with jitter", () => {
  it("waits between nothing and a bound that doubles up to two seconds", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const delayMs = retryDelayMs(attempt, random);
          assert.ok(delayMs >= 0 && delayMs <= Math.min(2000, 100 * 2 ** attempt));
        },
      ),
    );
    assert.deepEqual(
      [0, 1, 2, 5, 10].map((attempt) => retryDelayMs(attempt, 0.5)),
      [50, 100, 200, 1000, 1000],
    );
  });
});
