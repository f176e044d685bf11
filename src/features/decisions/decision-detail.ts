import type { DecisionResponse } from "../../domain/decision/response.js";
import type { RecordedDecision } from "../../domain/decision/recorded-decision.js";
import type { ExplainedRuleBody } from "../../domain/decision/rule-evaluations.js";
import { shownCost, type ShownCost } from "../../domain/decision/shown-cost.js";
import type { ProviderEvaluationBody } from "../../domain/decision/evaluation-bodies.js";
import { FAILURE_CLASSES, isApproved, type FailureClass } from "../../domain/outcomes/classification.js";
import type { StoredOutcome, StoredReview } from "./queries/stored-feedback.js";
import type { DecisionRequest } from "../../domain/vocabulary/decision-request.js";
import { idTimeMs } from "../../domain/ids/ids.js";
import type {
  HealthSource,
  ModelVersion,
  Outcome,
  PaymentMethod,
  ReviewResolution,
  TechnicalFailureType,
} from "../../domain/vocabulary/vocabulary.js";

/** OUT-13: the stored outcome on decision reads. */
export interface OutcomeBody {
  outcome: Outcome;
  provider_used: string | null;
  provider_latency_ms: number | null;
  provider_reason_code: string | null;
  failure_class: FailureClass;
  technical_failure_type: TechnicalFailureType | null;
  approved: boolean;
  /** ISO 8601 */
  reported_at: string;
  /** ISO 8601; only where one was reported. */
  created_at?: string;
}

/** REV-2: `review`. */
export interface ReviewBody {
  resolution: ReviewResolution;
  note: string | null;
  resolved_by: string;
  /** ISO 8601 */
  resolved_at: string;
}

export interface DecisionDetail {
  decision_id: string;
  merchant_id: string;
  order_id: string;
  created_at: string;
  mode: DecisionResponse["mode"];
  action: DecisionResponse["action"];
  route: DecisionResponse["route"];
  provider_health_source: HealthSource;
  risk: DecisionResponse["risk"];
  transaction: { amount: number; currency: string; country: string; payment_method: PaymentMethod };
  policy: DecisionResponse["policy"];
  model: { model_version: ModelVersion; provider_scores: Record<string, number> };
  reason_codes: readonly string[];
  decision_latency_ms: number;
  ttl_ms: number;
  provider_evaluations: ProviderEvaluationBody[];
  review: ReviewBody | null;
  outcome: OutcomeBody | null;
  /** RES-11: null on deterministic-v1 and on a block. */
  cost: ShownCost | null;
  economics: DecisionResponse["economics"];
  /** As it was sent: what the service fills in by default is not added. */
  request: DecisionRequest;
  /** 0..100: the threshold in force when it was made; null where it is not recorded. */
  risk_block_threshold: number | null;
  /** Every enabled rule of the policy version that decided; null where what they met is not recorded. */
  rule_evaluations: ExplainedRuleBody[] | null;
}

/** LOG-11, the detail, from what was stored when the decision was made. */
export function toDecisionDetail(
  document: RecordedDecision,
  outcome: StoredOutcome | null,
  review: StoredReview | null,
  ruleEvaluations: ExplainedRuleBody[] | null,
): DecisionDetail {
  const { request, response } = document;
  const { amount, currency, country, payment_method } = request.transaction;
  return {
    decision_id: response.decision_id,
    merchant_id: response.merchant_id,
    order_id: request.order_id,
    created_at: new Date(idTimeMs(response.decision_id)).toISOString(),
    mode: response.mode,
    action: response.action,
    route: response.route,
    provider_health_source: document.provider_health_source,
    risk: response.risk,
    transaction: { amount, currency, country, payment_method },
    policy: response.policy,
    model: { model_version: response.model.model_version, provider_scores: response.model.route_scores },
    reason_codes: response.reason_codes,
    decision_latency_ms: response.decision_latency_ms,
    ttl_ms: response.ttl_ms,
    provider_evaluations: document.evaluations,
    review: review === null ? null : toReviewBody(review),
    outcome: outcome === null ? null : toOutcomeBody(outcome),
    cost: shownCost(response.cost),
    economics: response.economics,
    request,
    risk_block_threshold: document.seen.risk_block_threshold,
    rule_evaluations: ruleEvaluations,
  };
}

function toOutcomeBody(stored: StoredOutcome): OutcomeBody {
  return {
    outcome: stored.outcome,
    provider_used: stored.providerUsed,
    provider_latency_ms: stored.providerLatencyMs,
    provider_reason_code: stored.providerReasonCode,
    failure_class: FAILURE_CLASSES[stored.outcome],
    technical_failure_type: stored.technicalFailureType,
    approved: isApproved(stored.outcome),
    reported_at: stored.reportedAt.toISOString(),
    ...(stored.createdAt === null ? {} : { created_at: stored.createdAt.toISOString() }),
  };
}

export function toReviewBody(stored: StoredReview): ReviewBody {
  return {
    resolution: stored.resolution,
    note: stored.note,
    resolved_by: stored.resolvedBy,
    resolved_at: stored.resolvedAt.toISOString(),
  };
}
