import type { DecisionContext } from "../../src/domain/decision/decision.js";
import {
  createSnapshot,
  flatView,
  segmentKey,
  type HealthSnapshot,
} from "../../src/domain/health/snapshot.js";
import { DecisionPolicy } from "../../src/domain/decision/decision-policy.js";
import type { Rule } from "../../src/domain/policy/policy.js";
import type { PricingView } from "../../src/domain/pricing/pricing-view.js";
import type { Random } from "../client/random.js";

/**
 * The policy of a merchant with a review desk. Each special instruction applies to a few per cent of payments, as in
 * real histories.
 */
const RULES: readonly Pick<Rule, "name" | "when" | "then">[] = [
  {
    name: "Hold large orders of new customers",
    when: { amount_gte: 60_000, customer_type_in: ["new"] },
    then: { type: "hold" },
  },
  {
    name: "Step up guests at risk",
    when: { customer_type_in: ["guest"], risk_score_gte: 60 },
    then: { type: "step_up" },
  },
  { name: "Retry timeouts", when: {}, then: { type: "retry_on_timeout", same_provider: true } },
  { name: "No retry of hard declines", when: {}, then: { type: "no_retry", reason_codes: ["stolen_card"] } },
  {
    name: "Prefer provider_2 for visa",
    when: { card_network_in: ["visa"] },
    then: { type: "prefer_provider", providers: ["provider_2"], strict: false, boost: 10 },
  },
];

/** In one context of four the merchant has uploaded a contract. Its decisions are deterministic-v2. */
const PRICED_SHARE = 0.25;
const PRICED: PricingView = {
  version: "1.0",
  resolved: true,
  quote(provider, { amount }) {
    const percentageBps = 150 + 30 * (provider.charCodeAt(provider.length - 1) % 5);
    const cost = Math.round((amount * percentageBps) / 10_000) + 25;
    return {
      estimated_cost_minor: cost,
      effective_bps: (cost / amount) * 10_000,
      pricing_source: "merchant_contract",
      confidence_score: 100,
      reason_codes: ["MERCHANT_CONTRACT_PRICING_USED"],
    };
  },
};

/** A context as a decide worker has it, with one policy and with health that differs between segments. */
export function createEngineContext(providers: readonly string[], random: Random): DecisionContext {
  const segments = new Map<string, HealthSnapshot>();
  const find = (provider: string, method: string, currency: string): HealthSnapshot => {
    const key = segmentKey(provider, method, currency);
    let snapshot = segments.get(key);
    if (snapshot === undefined) {
      snapshot = createSnapshot({
        provider,
        segmentKey: key,
        state: "healthy",
        measures: {
          timeoutRate: random.next() / 50,
          error5xxRate: random.next() / 100,
          throttle429Rate: 0,
          approvalRate: 0.8 + random.next() / 6,
          approvalRateBaseline: 0.9,
          p95LatencyMs: random.integer(200, 1800),
          webhookLagSeconds: 0,
        },
        samples: random.integer(50, 500),
        source: "probe",
        updatedAt: "2026-11-20T12:00:00.000Z",
      });
      segments.set(key, snapshot);
    }
    return snapshot;
  };
  return {
    policy: DecisionPolicy.of({
      policy_id: "pol_01jd4wqk2m0000000000000000",
      name: "Seeded",
      status: "published",
      version: "v3",
      default_provider: providers[0] as string,
      rules: RULES.map((rule, position) => ({
        rule_id: `rule_${position}`,
        priority: position * 10,
        enabled: true,
        ...rule,
      })),
      updated_at: "2026-11-20T12:00:00.000Z",
    }),
    health: flatView("1", find),
    riskBlockThreshold: 90,
    normalAmountMaxMinor: null,
    defaultDecisionMode: "enforce",
    pricing: random.chance(PRICED_SHARE) ? PRICED : null,
  };
}
