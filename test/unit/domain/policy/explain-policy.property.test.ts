import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { explainRules, type ConditionBody } from "../../../../src/domain/decision/rule-evaluations.js";
import { compilePolicy, toPolicyFacts } from "../../../../src/domain/policy/compile-policy.js";
import { createPolicyExplainer } from "../../../../src/domain/policy/explain-policy.js";
import { assessRisk } from "../../../../src/domain/risk/assess-risk.js";
import { decideInput, policy } from "../../../support/generators/arbitraries.js";

/** Evaluates a condition a second time, from its explanation alone. */
function follows(told: ConditionBody): boolean {
  if ("field" in told) {
    const { field, operator, expected, actual } = told;
    if (actual === null) return false;
    if (field === "provider_health_state") {
      return (expected as { states: unknown[] }).states.includes(actual);
    }
    const offered = Array.isArray(actual) ? actual : [actual];
    switch (operator) {
      case "gte":
        return (actual as number) >= (expected as number);
      case "gt":
        return (actual as number) > (expected as number);
      case "lte":
        return (actual as number) <= (expected as number);
      case "lt":
        return (actual as number) < (expected as number);
      case "in":
        return offered.some((value) => (expected as unknown[]).includes(value));
      case "not_in":
        return !offered.some((value) => (expected as unknown[]).includes(value));
      case "prefix":
        return (expected as string[]).some((prefix) => (actual as string).startsWith(prefix));
      case "is":
        return actual === expected;
    }
  }
  const branches = told.branches.map(({ conditions, held }) => {
    assert.equal(held, conditions.every(follows));
    return held;
  });
  const deciding = branches.indexOf(told.condition !== "all_of");
  assert.equal(told.decided_by, deciding === -1 ? null : deciding);
  return told.condition === "any_of" ? deciding !== -1 : deciding === -1;
}

function assertFollows(conditions: readonly ConditionBody[]): void {
  for (const told of conditions) {
    assert.equal(told.held, follows(told), JSON.stringify(told));
    if ("branches" in told) for (const branch of told.branches) assertFollows(branch.conditions);
  }
}

describe("each rule's conditions with the value that decided", () => {
  it("LOG-17: are all listed, each with enough to see whether it held", () => {
    fc.assert(
      fc.property(policy, decideInput, (source, { request, context, mode, nowMs }) => {
        const risk = assessRisk({
          transaction: request.transaction,
          signals: request.risk_signals ?? {},
          normalAmountMaxMinor: null,
        });
        const decisionMode = request.decision_mode ?? context.defaultDecisionMode;
        const facts = toPolicyFacts(request, mode, decisionMode, risk, nowMs, context.health);
        const explained = explainRules(createPolicyExplainer(source), facts);
        assert.deepEqual(
          explained.map(({ name, matched, failed_condition }) => ({
            name,
            matched,
            stoppedBy: failed_condition,
          })),
          compilePolicy(source).explain(facts),
        );
        for (const { rule_id, conditions, action_type } of explained) {
          assertFollows(conditions);
          const told = conditions.map(({ condition }) => condition);
          const isTheRule = source.rules.some(
            ({ rule_id: id, when, then }) =>
              id === rule_id && then.type === action_type && Object.keys(when).join() === told.join(),
          );
          assert.ok(isTheRule, "every key of the rule, in the order written");
        }
      }),
      { numRuns: 500 },
    );
  });

  it("show whether any of them reads a provider's health, at any depth", () => {
    const asks = (when: object): boolean =>
      createPolicyExplainer({
        policy_id: "pol_01jd4wqk2m0000000000000000",
        name: "Generated",
        status: "archived",
        version: "v1",
        default_provider: null,
        updated_at: "2026-11-20T12:00:00.000Z",
        rules: [{ rule_id: "rule_1", name: "r", priority: 0, enabled: true, when, then: { type: "hold" } }],
      }).asksHealth;
    const health = { provider_health_state_in: { provider: "provider_1", states: ["critical"] } };
    assert.equal(asks({ amount_gte: 1 }), false);
    assert.equal(asks(health), true);
    assert.equal(asks({ any_of: [{ amount_gte: 1 }, { none_of: [health] }] }), true);
  });
});
