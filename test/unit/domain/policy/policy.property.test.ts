import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import type { DecideInput } from "../../../../src/domain/decision/decision.js";
import { compileConditions } from "../../../../src/domain/policy/compile-conditions.js";
import {
  compileContent,
  compilePolicy,
  EVALUATIONS_BEFORE_INDEX,
  toPolicyFacts,
} from "../../../../src/domain/policy/compile-policy.js";
import { policyContent } from "../../../../src/domain/policy/policy-content.js";
import { namesOf } from "../../../../src/domain/policy/policy-evaluation.js";
import type { PolicyFacts } from "../../../../src/domain/policy/policy-facts.js";
import type { Conditions } from "../../../../src/domain/policy/policy.js";
import { stableHash } from "../../../../src/domain/policy/stable-hash.js";
import { assessRisk } from "../../../../src/domain/risk/assess-risk.js";
import {
  conditions,
  conditionsOnFewFields,
  decideInput,
  policy,
} from "../../../support/generators/arbitraries.js";

function factsOf({ request, context, mode, nowMs }: DecideInput): PolicyFacts {
  const risk = assessRisk({
    transaction: request.transaction,
    signals: request.risk_signals ?? {},
    normalAmountMaxMinor: null,
  });
  return toPolicyFacts(
    request,
    mode,
    request.decision_mode ?? context.defaultDecisionMode,
    risk,
    nowMs,
    context.health,
  );
}

/** A second implementation of conditions: an interpreter over the request's own field names. */
function interpret(when: Conditions, input: DecideInput, facts: PolicyFacts): boolean {
  const { request, nowMs, mode } = input;
  const now = new Date(nowMs);
  const fields: Record<string, unknown> = {
    transaction_type: "authorization",
    ...request.transaction,
    ...request.risk_signals,
    computed_risk_score: facts.computedRiskScore,
    risk_band: facts.riskBand,
    has_previous_attempt: request.previous_attempt !== undefined,
    previous_provider: request.previous_attempt?.provider,
    previous_outcome: request.previous_attempt?.outcome,
    previous_reason_code: request.previous_attempt?.provider_reason_code,
    offered_provider_count: request.available_providers.length,
    hour_utc: now.getUTCHours(),
    weekday_utc: now.getUTCDay() === 0 ? 7 : now.getUTCDay(),
    mode,
    decision_mode: request.decision_mode ?? input.context.defaultDecisionMode,
  };
  return Object.entries(when).every(([key, wanted]: [string, unknown]) => {
    const every = wanted as Conditions[];
    if (key === "any_of") return every.some((one) => interpret(one, input, facts));
    if (key === "all_of") return every.every((one) => interpret(one, input, facts));
    if (key === "none_of") return every.every((one) => !interpret(one, input, facts));
    if (key === "sample_bps_lt")
      return stableHash(`rule_1\u0000${request.order_id}`) % 10_000 < (wanted as number);
    if (key === "provider_health_state_in") {
      const { provider, states } = wanted as { provider: string; states: string[] };
      const { payment_method, currency } = request.transaction;
      return states.includes(input.context.health.find(provider, payment_method, currency).state);
    }
    const list = wanted as string[];
    if (key === "offered_provider_in") return request.available_providers.some((id) => list.includes(id));
    if (key === "order_id_prefix")
      return (wanted as string[]).some((prefix) => input.request.order_id.startsWith(prefix));
    if (key === "offered_provider_not_in")
      return !request.available_providers.some((id) => list.includes(id));
    const [, field, operator] = /^(.+?)_(gte|gt|lte|lt|not_in|in|is)$/.exec(key) as unknown as [
      string,
      string,
      string,
    ];
    const value = fields[field];
    if (value === undefined) return false;
    switch (operator) {
      case "gte":
        return (value as number) >= (wanted as number);
      case "gt":
        return (value as number) > (wanted as number);
      case "lte":
        return (value as number) <= (wanted as number);
      case "lt":
        return (value as number) < (wanted as number);
      case "in":
        return list.includes(value as string);
      case "not_in":
        return !list.includes(value as string);
      default:
        return value === wanted;
    }
  });
}

const POLICY = {
  policy_id: "pol_01jd4wqk2m0000000000000000",
  name: "Generated",
  status: "published",
  version: "v1",
  default_provider: null,
  updated_at: "2026-11-20T12:00:00.000Z",
} as const;

describe("compiled conditions", () => {
  it("COND-4: agree with a plain interpreter on any conditions and request", () => {
    fc.assert(
      fc.property(conditions, decideInput, (when, input) => {
        const facts = factsOf(input);
        assert.equal(compileConditions(when, "rule_1")(facts), interpret(when, input, facts));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("compiled policies", () => {
  it("match each rule as an interpreter would alone, however many ask about the same fields", () => {
    fc.assert(
      fc.property(conditionsOnFewFields, conditions, decideInput, (whens, other, input) => {
        const facts = factsOf(input);
        const rules = [...whens, other].slice(-100).map((when, index) => ({
          rule_id: "rule_1",
          name: String(index),
          priority: index,
          enabled: true,
          when,
          then: { type: "hold" as const },
        }));
        const compiled = compilePolicy({ ...POLICY, rules });
        const expected = rules.filter(({ when }) => interpret(when, input, facts)).map(({ name }) => name);
        for (let i = 0; i <= EVALUATIONS_BEFORE_INDEX; i++) {
          assert.deepEqual(namesOf(compiled.evaluate(facts).matchedRules), expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("evaluate alike before they have an index of their rules and after", () => {
    let indexed = 0;
    fc.assert(
      fc.property(policy, conditionsOnFewFields, decideInput, (source, whens, input) => {
        const rules = [
          ...source.rules,
          ...whens.map((when, index) => ({
            rule_id: "rule_1",
            name: String(index),
            priority: 3,
            enabled: true,
            when,
            then: { type: "exclude_provider" as const, providers: [`provider_${index % 3}`] },
          })),
        ];
        const facts = factsOf(input);
        const { text } = policyContent({ ...source, rules });
        const compiled = compileContent(text, (bytes) => {
          assert.ok(bytes > 0);
          indexed++;
        });
        const { bytes } = compiled;
        const asWhole = ({ trafficSplit, ...evaluation }: ReturnType<typeof compiled.evaluate>) => ({
          ...evaluation,
          pick: trafficSplit?.(facts.orderId),
        });
        const before = indexed;
        const first = asWhole(compiled.evaluate(facts));
        for (let i = 1; i < EVALUATIONS_BEFORE_INDEX; i++) compiled.evaluate(facts);
        assert.deepEqual([indexed, compiled.bytes > bytes], [before + 1, true]);
        assert.deepEqual(asWhole(compiled.evaluate(facts)), first);
        assert.equal(indexed, before + 1);
      }),
      { numRuns: 300 },
    );
  });

  it("explain exactly the evaluated conditions, and leave the policy unchanged", () => {
    fc.assert(
      fc.property(policy, decideInput, (source, input) => {
        const before = JSON.stringify(source);
        const compiled = compilePolicy(source);
        const facts = factsOf(input);
        const { matchedRules } = compiled.evaluate(facts);
        const explained = compiled.explain(facts);
        assert.deepEqual(
          explained.filter(({ matched }) => matched).map(({ name }) => name),
          namesOf(matchedRules),
        );
        assert.equal(explained.length, source.rules.filter(({ enabled }) => enabled).length);
        assert.equal(JSON.stringify(source), before);
      }),
      { numRuns: 500 },
    );
  });
});
