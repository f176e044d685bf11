import type { DecideInput, Decision } from "../../../../src/domain/decision/decision.js";
import { decide } from "../../../../src/domain/decision/decide.js";
import { flatView, type HealthSnapshot, type HealthView } from "../../../../src/domain/health/snapshot.js";
import { DecisionPolicy } from "../../../../src/domain/decision/decision-policy.js";
import type { Conditions, Policy, Rule, RuleAction } from "../../../../src/domain/policy/policy.js";
import { type PricingView, type Quote, UNKNOWN_QUOTE } from "../../../../src/domain/pricing/pricing-view.js";
import type { DecisionRequest, Transaction } from "../../../../src/domain/vocabulary/decision-request.js";

/** Plain situations for tests of the engine. A test states only the parts that it is about. */

export const A = "provider_1";
export const B = "provider_2";
export const C = "provider_3";

/** Friday 2026-11-20, 12:30 UTC. */
export const NOW_MS = Date.UTC(2026, 10, 20, 12, 30);

/** A healthy snapshot with full confidence. The route score is 0.5·90 + 35·0.9 + 0.15·80 = 88.5. */
export function snapshot(provider: string, overrides: Partial<HealthSnapshot> = {}): HealthSnapshot {
  return {
    provider,
    segment_key: `${provider}:card:USD`,
    score: 90,
    state: "healthy",
    confidence: 100,
    p95_latency_ms: 400,
    timeout_rate: 0,
    error_5xx_rate: 0,
    throttle_429_rate: 0,
    approval_rate: 0.9,
    approval_rate_baseline: 0.9,
    webhook_lag_seconds: 0,
    sample_size: 450,
    window_seconds: 300,
    reason_codes: [],
    updated_at: "2026-11-20T12:30:00.000Z",
    source: "probe",
    ...overrides,
  };
}

export type Healths = Record<string, Partial<HealthSnapshot>>;

/** Every provider is healthy, except for `overrides`. */
export function health(overrides: Healths = {}): HealthView {
  const made = new Map<string, HealthSnapshot>();
  return flatView("1", (provider) => {
    let found = made.get(provider);
    if (found === undefined) made.set(provider, (found = snapshot(provider, overrides[provider])));
    return found;
  });
}

export type RuleSpec = Partial<Rule> & { then: RuleAction };

/** Rules get ids and names `rule_0`, `rule_1`, … and equal priorities. */
export function policy(rules: readonly RuleSpec[], overrides: Partial<Policy> = {}): Policy {
  return {
    policy_id: "pol_1",
    name: "Test",
    status: "published",
    version: "v1",
    default_provider: null,
    rules: rules.map((rule, i) => ({
      rule_id: `rule_${i}`,
      name: `rule_${i}`,
      priority: 10,
      enabled: true,
      when: {} satisfies Conditions,
      ...rule,
    })),
    updated_at: "2026-11-20T12:00:00.000Z",
    ...overrides,
  };
}

export interface Given {
  rules?: readonly RuleSpec[];
  defaultProvider?: string;
  healths?: Healths;
  offered?: string[];
  transaction?: Partial<Transaction>;
  request?: Partial<DecisionRequest>;
  pricing?: PricingView;
  input?: Partial<DecideInput>;
  context?: Partial<DecideInput["context"]>;
}

export function inputOf(given: Given): DecideInput {
  const hasPolicy = given.rules !== undefined || given.defaultProvider !== undefined;
  const defaults = given.defaultProvider === undefined ? {} : { default_provider: given.defaultProvider };
  return {
    request: {
      merchant_id: "merchant_1",
      order_id: "order_1",
      transaction: {
        amount: 10_000,
        currency: "USD",
        country: "US",
        payment_method: "card",
        ...given.transaction,
      },
      available_providers: given.offered ?? [A, B, C],
      ...given.request,
    },
    context: {
      policy: hasPolicy ? DecisionPolicy.of(policy(given.rules ?? [], defaults)) : null,
      health: health(given.healths),
      riskBlockThreshold: 90,
      normalAmountMaxMinor: null,
      defaultDecisionMode: "enforce",
      pricing: given.pricing ?? null,
      ...given.context,
    },
    mode: "test",
    decisionId: "dec_01jd4wqk2m0000000000000000",
    nowMs: NOW_MS,
    ...given.input,
  };
}

export function decideGiven(given: Given): Decision {
  return decide(inputOf(given));
}

/** An instruction in short: `action primary/fallback`. */
export function said(decision: Decision): string {
  const { action, route } = decision.instruction;
  return route === null ? action : `${action} ${route.primaryProvider}/${route.fallbackProvider}`;
}

/** Contract prices by provider, in minor units. A provider that `costs` lacks has no price. */
export function contractPrices(
  costs: Record<string, number>,
  overrides: Record<string, Partial<Quote>> = {},
): PricingView {
  return {
    version: "1.0",
    resolved: true,
    quote(provider, { amount }) {
      const cost = costs[provider];
      if (cost === undefined) return { ...UNKNOWN_QUOTE, ...overrides[provider] };
      return {
        estimated_cost_minor: cost,
        effective_bps: (cost / amount) * 10_000,
        pricing_source: "merchant_contract",
        confidence_score: 100,
        reason_codes: ["MERCHANT_CONTRACT_PRICING_USED"],
        ...overrides[provider],
      };
    },
  };
}

export const timeoutAt = (provider: string) => ({
  previous_attempt: { provider, outcome: "timeout" as const },
});
