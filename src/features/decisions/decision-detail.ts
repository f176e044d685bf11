import type { RecordedDecision } from "../../domain/decision/recorded-decision.js";
import type { ExplainedRuleBody } from "../../domain/decision/rule-evaluations.js";
import { shownCost } from "../../domain/decision/shown-cost.js";
import { FAILURE_CLASSES, isApproved } from "../../domain/outcomes/classification.js";
import { toRetryBody } from "./decision-retry.js";
import type { StoredOutcome, StoredReview } from "./queries/stored-feedback.js";
import { idTimeMs } from "../../domain/ids/ids.js";
import type { StoredOutcomeBody } from "../outcomes/wire/outcome-response-schema.js";
import type { DecisionDetail } from "./wire/decision-detail-schema.js";
import type { ReviewBody } from "./wire/decision-log-schema.js";

/** LOG-11: builds the detail from the record of the decision. */
export function toDecisionDetail(
  document: RecordedDecision,
  outcome: StoredOutcome | null,
  review: StoredReview | null,
  ruleEvaluations: ExplainedRuleBody[] | null,
): DecisionDetail {
  const { request, response } = document;
  const retry = toRetryBody(document);
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
    ...(retry && { retry }),
  };
}

function toOutcomeBody(stored: StoredOutcome): StoredOutcomeBody {
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
