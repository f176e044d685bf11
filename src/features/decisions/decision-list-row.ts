import type { RecordedDecision } from "../../domain/decision/recorded-decision.js";
import { readDocument } from "../../path/document/decision-document.js";
import { FAILURE_CLASSES } from "../../domain/outcomes/classification.js";
import type { PageFeedback } from "./queries/stored-feedback.js";
import { idTimeMs } from "../../domain/ids/ids.js";
import type { Json } from "../../platform/wire/json.js";
import { amountBucket } from "./amount-bucket.js";
import { toReviewBody } from "./decision-detail.js";
import type { DecisionListRow } from "./wire/decision-log-schema.js";

type ListedOutcome = NonNullable<DecisionListRow["outcome"]>;
type Feedbacks = "review" | "outcome";

/** Builds the row's JSON from the document, without the outcome and review. This part never changes. */
export function listRowHead(document: string): string {
  return JSON.stringify(rowOf(readDocument(document))).slice(0, -1);
}

/** Completes the row from its head and the later feedback. */
export function withFeedback(head: string, { review, outcome }: PageFeedback): Json<DecisionListRow> {
  if (review === null && outcome === null)
    return `${head},"review":null,"outcome":null}` as Json<DecisionListRow>;
  const tail: Pick<DecisionListRow, Feedbacks> = {
    review: review === null ? null : toReviewBody(review),
    outcome: outcome === null ? null : toListedOutcome(outcome),
  };
  return `${head},${JSON.stringify(tail).slice(1)}` as Json<DecisionListRow>;
}

function rowOf({ request, response, ...document }: RecordedDecision): Omit<DecisionListRow, Feedbacks> {
  const { amount, currency, country, payment_method } = request.transaction;
  return {
    decision_id: response.decision_id,
    merchant_id: response.merchant_id,
    order_id: request.order_id,
    created_at: new Date(idTimeMs(response.decision_id)).toISOString(),
    mode: response.mode,
    decision_mode: response.decision_mode,
    action: response.action,
    primary_provider: response.route?.primary_provider ?? null,
    fallback_provider: response.route?.fallback_provider ?? null,
    amount,
    amount_bucket: amountBucket(amount),
    currency,
    country,
    payment_method,
    risk_score: response.risk.score,
    risk_band: response.risk.band,
    provider_health_source: document.provider_health_source,
    decision_latency_ms: response.decision_latency_ms,
    reason_codes: response.reason_codes,
    model_version: response.model.model_version,
    matched_rules: response.policy.matched_rules,
  };
}

function toListedOutcome({
  outcome,
  providerUsed,
  providerLatencyMs,
}: NonNullable<PageFeedback["outcome"]>): ListedOutcome {
  return {
    outcome,
    provider_used: providerUsed,
    provider_latency_ms: providerLatencyMs,
    failure_class: FAILURE_CLASSES[outcome],
  };
}
