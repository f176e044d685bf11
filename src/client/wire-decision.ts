import type { ProviderId } from "../domain/vocabulary/decision-request.js";
import type { CLIENT_REASON_CODES } from "../domain/vocabulary/client-reason-codes.js";
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
} from "../domain/vocabulary/vocabulary.js";

/** The response of RES-1 and its parts, as they stand on the wire; amounts in minor units of ISO 4217 (JPY 0 decimals, HUF 2, KWD 3). */

export interface Route {
  primary_provider: ProviderId;
  /** A pre-approved second option. */
  fallback_provider: ProviderId | null;
}

export interface Risk {
  /** 0..100; advisory. */
  score: number;
  band: RiskBand;
  recommended_action: RecommendedAction;
  reason_codes: string[];
}

export interface ProviderHealth {
  /** 0..100 */
  score: number;
  state: HealthState;
  /** 0..100 */
  confidence: number;
  source: HealthSource;
}

export interface DecidedPolicy {
  policy_id: string | null;
  policy_version: string | null;
  /** Names, in the order the rules were evaluated. */
  matched_rules: string[];
}

/** COST-3: the last two are never real pricing. */
export type PricingSource =
  | "merchant_contract"
  | "provider_webhook_observed"
  | "estimated_fallback"
  | "unknown";

export interface Cost {
  estimated_cost_minor: number;
  /** Basis points of the amount. */
  effective_bps: number;
  currency: string;
  pricing_source: PricingSource;
  /** 0..100 */
  confidence_score: number;
  reason_codes: string[];
}

export interface Economics {
  expected_value_minor: number;
  model_version: ModelVersion;
  optimization_mode: OptimizationMode;
}

/** A decision as the service answers it. */
export interface ServiceDecision {
  decision_id: string;
  merchant_id: string;
  mode: Mode;
  decision_mode: DecisionMode;
  action: Action;
  /** null when the action is block. */
  route: Route | null;
  risk: Risk;
  provider_health: Record<ProviderId, ProviderHealth>;
  policy: DecidedPolicy;
  model: { model_version: ModelVersion; route_scores: Record<ProviderId, number> };
  cost: Cost | null;
  economics: Economics | null;
  reason_codes: string[];
  decision_latency_ms: number;
  /** Freshness window: ask for a new decision after it. */
  ttl_ms: number;
}

export type ClientReasonCode = (typeof CLIENT_REASON_CODES)[number];

/**
 * A decision in the same shape, made by the client while the service gave none. Its id is `local_…`: the service does
 * not know it, so no outcome is reported for it. Risk and health are not assessed, which their values say.
 */
export interface LocalDecision extends Omit<ServiceDecision, "model"> {
  model: { model_version: "local-fallback"; route_scores: Record<ProviderId, number> };
}

export type Decision = ServiceDecision | LocalDecision;
