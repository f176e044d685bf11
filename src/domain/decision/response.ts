import { LIMITS } from "../vocabulary/limits.js";
import { roundTo2 } from "../vocabulary/rounding.js";
import type {
  Action,
  DecisionMode,
  HealthSource,
  HealthState,
  Mode,
  ModelVersion,
  OptimizationMode,
  RecommendedAction,
  RiskBand,
} from "../vocabulary/vocabulary.js";
import { namesOf } from "../policy/policy-evaluation.js";
import type { Quote } from "../pricing/pricing-view.js";
import type { Decision } from "./decision.js";
import type { PrimaryPrice } from "./economics.js";

export interface RouteBody {
  primary_provider: string;
  fallback_provider: string | null;
}

/**
 * COST-14: the quote in `cost`, with its basis points rounded to two decimals. Cost limits use unrounded basis points.
 */
export interface Cost extends Quote {
  readonly currency: string;
}

/** COST-16: `economics`. */
export interface Economics {
  /** Minor units, two decimals. */
  expected_value_minor: number;
  model_version: "deterministic-v2";
  optimization_mode: OptimizationMode;
}

/** The response of RES-1. The fields are in the order in which the reply has them. */
export interface DecisionResponse {
  decision_id: string;
  merchant_id: string;
  mode: Mode;
  decision_mode: DecisionMode;
  action: Action;
  route: RouteBody | null;
  risk: {
    score: number;
    band: RiskBand;
    recommended_action: RecommendedAction;
    reason_codes: readonly string[];
  };
  provider_health: Record<
    string,
    { score: number; state: HealthState; confidence: number; source: HealthSource }
  >;
  policy: { policy_id: string | null; policy_version: string | null; matched_rules: readonly string[] };
  model: { model_version: ModelVersion; route_scores: Record<string, number> };
  cost: Cost | null;
  economics: Economics | null;
  reason_codes: readonly string[];
  /** RES-13 allows 3 decimals. The service uses 2, because totals count latencies exactly in hundredths. */
  decision_latency_ms: number;
  ttl_ms: number;
}

/** The response as a plain object. path/document/reply.ts writes the same response as JSON text, which is faster. */
export function toResponse(decision: Decision, latencyMs: number): DecisionResponse {
  const { risk, policy, evaluations, model } = decision;
  const { action, route } = decision.instruction;
  return {
    decision_id: decision.decisionId,
    merchant_id: decision.merchantId,
    mode: decision.mode,
    decision_mode: decision.decisionMode,
    action,
    route:
      route === null
        ? null
        : { primary_provider: route.primaryProvider, fallback_provider: route.fallbackProvider },
    risk: {
      score: risk.score,
      band: risk.band,
      recommended_action: risk.recommendedAction,
      reason_codes: risk.reasonCodes,
    },
    provider_health: Object.fromEntries(
      evaluations.map(({ provider, segment: { snapshot } }) => [
        provider,
        {
          score: snapshot.score,
          state: snapshot.state,
          confidence: snapshot.confidence,
          source: snapshot.source,
        },
      ]),
    ),
    policy: {
      policy_id: policy.published?.policyId ?? null,
      policy_version: policy.published?.version ?? null,
      matched_rules: namesOf(policy.matchedRules),
    },
    model: {
      model_version: model.version,
      route_scores: Object.fromEntries(evaluations.map(({ provider, routeScore }) => [provider, routeScore])),
    },
    cost: model.price === null ? null : toCost(model.price),
    economics: model.price === null ? null : toEconomics(model.price),
    reason_codes: decision.reasonCodes,
    decision_latency_ms: roundTo2(latencyMs),
    ttl_ms: LIMITS.decisionTtlMs,
  };
}

function toCost({ quote, currency }: PrimaryPrice): Cost {
  return {
    estimated_cost_minor: quote.estimated_cost_minor,
    effective_bps: roundTo2(quote.effective_bps),
    currency,
    pricing_source: quote.pricing_source,
    confidence_score: quote.confidence_score,
    reason_codes: quote.reason_codes,
  };
}

function toEconomics({ expectedValueMinor, optimizationMode }: PrimaryPrice): Economics {
  return {
    expected_value_minor: roundTo2(expectedValueMinor),
    model_version: "deterministic-v2",
    optimization_mode: optimizationMode,
  };
}
