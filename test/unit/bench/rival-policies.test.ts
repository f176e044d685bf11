import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createJsonRulesPolicy } from "../../../bench/rows/json-rules-policy.js";
import { rivalDecision } from "../../../bench/rows/rival-decision.js";
import { BENCH_RULES, rivalConditions } from "../../../bench/rows/rival-policy.js";
import { createZenPolicy } from "../../../bench/rows/zen-policy.js";
import { createTraffic, DEFAULT_MERCHANTS, DEFAULT_PROVIDERS } from "../../../bench/client/traffic.js";
import { flatView } from "../../../src/domain/health/snapshot.js";
import { compilePolicy, toPolicyFacts } from "../../../src/domain/policy/compile-policy.js";
import { namesOf } from "../../../src/domain/policy/policy-evaluation.js";
import { assessRisk } from "../../../src/domain/risk/assess-risk.js";
import type { DecisionRequest } from "../../../src/domain/vocabulary/decision-request.js";
import { ACTIONS } from "../../../src/domain/vocabulary/vocabulary.js";

/** The rules have no condition on health. */
const NO_HEALTH = flatView("1", () => {
  throw new Error("the bench policy does not read health");
});

const ours = compilePolicy({
  policy_id: "pol_bench",
  name: "Bench",
  status: "published",
  version: "v1",
  default_provider: null,
  rules: [...BENCH_RULES],
  updated_at: "2026-11-20T12:00:00.000Z",
});

function matchedByUs(request: DecisionRequest): readonly string[] {
  const risk = assessRisk({
    transaction: request.transaction,
    signals: request.risk_signals ?? {},
    normalAmountMaxMinor: null,
  });
  return namesOf(ours.evaluate(toPolicyFacts(request, "test", "enforce", risk, 0, NO_HEALTH)).matchedRules);
}

describe("the rivals of the bench", () => {
  it("match the same rules as the service, request by request", async () => {
    const byJsonRules = createJsonRulesPolicy(BENCH_RULES);
    const byZen = createZenPolicy(BENCH_RULES);
    const traffic = createTraffic({ seed: 11, merchants: DEFAULT_MERCHANTS, providers: DEFAULT_PROVIDERS });
    const matchedNames = new Set<string>();
    for (let i = 0; i < 2_000; i++) {
      const request = traffic.next();
      const expected = matchedByUs(request);
      for (const positions of [await byJsonRules(request), await byZen(request)]) {
        assert.deepEqual(
          positions.map((position) => BENCH_RULES[position]?.name),
          [...expected],
        );
      }
      for (const name of expected) matchedNames.add(name);
    }
    assert.equal(matchedNames.size, BENCH_RULES.length, "every rule matches some request");
  });

  it("answer with the instructions of the specification", () => {
    const traffic = createTraffic({ seed: 12, merchants: DEFAULT_MERCHANTS, providers: DEFAULT_PROVIDERS });
    for (let i = 0; i < 500; i++) {
      const request = traffic.next();
      const matched = BENCH_RULES.flatMap((rule, position) =>
        matchedByUs(request).includes(rule.name) ? [position] : [],
      );
      const decision = rivalDecision(request, matched, 0);
      assert.ok(new Set<string>(ACTIONS).has(decision.action));
      assert.equal(decision.route === null, decision.action === "block");
      assert.deepEqual(Object.keys(decision.provider_health), request.available_providers);
    }
  });

  it("refuse a condition that has no translation", () => {
    assert.throws(() => rivalConditions({ sample_bps_lt: 500 }), /sample_bps_lt/);
  });
});
