import type { PricingSource, Quote } from "../pricing/pricing-view.js";
import { shownPrice, type ShownPrice } from "./shown-cost.js";
import { roundTo2, roundTo6 } from "../vocabulary/rounding.js";
import type { HealthState } from "../vocabulary/vocabulary.js";
import type { ExclusionReason, ProviderEvaluation, Segment } from "./evaluation.js";
import { scoreComponents, type ScoreComponents } from "./score-terms.js";

/** The terms of deterministic-v2's objective. No score includes them. */
export interface CostComponents extends ShownPrice {
  pricing_source: PricingSource;
  /** COST-8: 0..1, six decimals. */
  approval_probability: number;
}

/** LOG-14, `provider_evaluations[]`. */
export interface ProviderEvaluationBody {
  provider: string;
  eligible: boolean;
  /** 0..100 */
  route_score: number;
  health_score: number;
  health_state: HealthState;
  /** Null if the provider is eligible. */
  exclusion_reason: ExclusionReason | null;
  /** COST-18: present if a `max_cost` matched. False if the provider has no real price, so the limit did not apply. */
  cost_limit_checked?: boolean;
  /** The terms of the cost are present on deterministic-v2 only. */
  components: (ScoreComponents & Partial<CostComponents>) | null;
}

/** The evaluations as the interface shows them. Simulate answers with the same form. */
export function toEvaluationBodies(evaluations: readonly ProviderEvaluation[]): ProviderEvaluationBody[] {
  return evaluations.map(
    ({ provider, segment, exclusionReason, routeScore, preferenceBoost, quote, costLimitChecked }) => ({
      provider,
      eligible: exclusionReason === null,
      route_score: routeScore,
      health_score: segment.snapshot.score,
      health_state: segment.snapshot.state,
      exclusion_reason: exclusionReason,
      ...(costLimitChecked === null ? {} : { cost_limit_checked: costLimitChecked }),
      components: {
        ...scoreComponents(segment.terms.map(roundTo2), preferenceBoost),
        ...(quote === null ? {} : costComponents(quote, segment)),
      },
    }),
  );
}

function costComponents(quote: Quote, { approvalProbability }: Segment): CostComponents {
  return {
    ...shownPrice(quote),
    pricing_source: quote.pricing_source,
    approval_probability: roundTo6(approvalProbability),
  };
}
