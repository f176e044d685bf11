import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { createRuleReader } from "../../../../../src/features/policies/linter/rule-meaning.js";
import { compilePolicy, toPolicyFacts } from "../../../../../src/domain/policy/compile-policy.js";
import type { Conditions, Policy, Rule } from "../../../../../src/domain/policy/policy.js";
import type { PolicyFacts } from "../../../../../src/domain/policy/policy-facts.js";
import { assessRisk } from "../../../../../src/domain/risk/assess-risk.js";
import {
  conditions,
  decisionRequest,
  healthView,
  PROVIDER_IDS,
} from "../../../../support/generators/arbitraries.js";
import { MODES } from "../../../../../src/domain/vocabulary/vocabulary.js";
import { witnessOf } from "./witness.js";

/**
 * Real requests, with their risk assessed as in a decision. They are the same on every run, and the conditions differ.
 */
const FACTS: PolicyFacts[] = fc.sample(
  fc
    .tuple(
      decisionRequest,
      healthView,
      fc.constantFrom(...MODES),
      fc.integer({ min: 0, max: 4_102_444_800_000 }),
    )
    .map(([request, health, mode, nowMs]) => {
      const risk = assessRisk({
        transaction: request.transaction,
        signals: request.risk_signals ?? {},
        normalAmountMaxMinor: null,
      });
      return toPolicyFacts(request, mode, request.decision_mode ?? "enforce", risk, nowMs, health);
    }),
  { numRuns: 400, seed: 20_261_120 },
);

/** More keys at once than a merchant would write, so that many contradict. */
const crowded: fc.Arbitrary<Conditions> = fc.oneof(
  conditions,
  fc.array(conditions, { minLength: 2, maxLength: 4 }).map((parts): Conditions => ({ all_of: parts })),
  fc.tuple(conditions, conditions).map(([a, b]): Conditions => ({ any_of: [a], none_of: [b] })),
  conditions.map((when): Conditions => ({ all_of: [when], none_of: [when] })),
  conditions.map((when): Conditions => ({ any_of: [when, { none_of: [when] }] })),
);

function ruleWith(when: Conditions): Rule {
  return { rule_id: "rule_1", name: "generated", priority: 1, enabled: true, when, then: { type: "hold" } };
}

function matchesOf(rule: Rule): (facts: PolicyFacts) => boolean {
  const policy: Policy = {
    policy_id: "pol_01jd4wqk2m0000000000000000",
    name: "Generated",
    status: "draft",
    version: "v1",
    default_provider: null,
    rules: [rule],
    updated_at: "2026-11-20T12:00:00.000Z",
  };
  const compiled = compilePolicy(policy);
  return (facts) => compiled.explain(facts)[0]?.matched === true;
}

describe("the linter's meaning of a rule", () => {
  it("LINT-2: never: no request matches; always: every one does; sometimes: one can be named that does", () => {
    const meanings = { never: 0, always: 0, sometimes: 0, unknown: 0 };
    fc.assert(
      fc.property(crowded, (when) => {
        const rule = ruleWith(when);
        const meaning = createRuleReader(PROVIDER_IDS)(rule);
        const matches = matchesOf(rule);
        meanings[meaning.kind]++;
        if (meaning.kind === "never" || meaning.kind === "always") {
          for (const facts of FACTS) assert.equal(matches(facts), meaning.kind === "always");
        }
        if (meaning.kind === "sometimes" || meaning.kind === "always") {
          for (const term of meaning.terms.slice(0, 8)) {
            assert.ok(matches(witnessOf(term, rule.rule_id, PROVIDER_IDS)));
          }
        }
      }),
      { numRuns: 4000 },
    );
    // Each of the three meanings must have been tested.
    assert.ok(Math.min(meanings.never, meanings.always, meanings.sometimes) > 100, JSON.stringify(meanings));
  });
});
