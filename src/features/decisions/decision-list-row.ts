import type { RecordedDecision } from "../../domain/decision/recorded-decision.js";
import { readDocument } from "../../path/document/decision-document.js";
import { FAILURE_CLASSES, type FailureClass } from "../../domain/outcomes/classification.js";
import type { PageFeedback } from "./queries/stored-feedback.js";
import { idTimeMs } from "../../domain/ids/ids.js";
import type { Json } from "../../platform/wire/json.js";
import type {
  Action,
  DecisionMode,
  HealthSource,
  Mode,
  ModelVersion,
  Outcome,
  PaymentMethod,
  RiskBand,
} from "../../domain/vocabulary/vocabulary.js";
import { amountBucket, type AmountBucket } from "./amount-bucket.js";
import { toReviewBody, type ReviewBody } from "./decision-detail.js";

/** LOG-7, the list row. */
export interface DecisionListRow {
  decision_id: string;
  merchant_id: string;
  order_id: string;
  /** ISO 8601 */
  created_at: string;
  mode: Mode;
  decision_mode: DecisionMode;
  action: Action;
  primary_provider: string | null;
  fallback_provider: string | null;
  /** Minor units. */
  amount: number;
  amount_bucket: AmountBucket;
  currency: string;
  country: string;
  payment_method: PaymentMethod;
  risk_score: number;
  risk_band: RiskBand;
  provider_health_source: HealthSource;
  decision_latency_ms: number;
  reason_codes: readonly string[];
  model_version: ModelVersion;
  matched_rules: readonly string[];
  review: ReviewBody | null;
  outcome: ListedOutcome | null;
}

export interface ListedOutcome {
  outcome: Outcome;
  provider_used: string | null;
  provider_latency_ms: number | null;
  failure_class: FailureClass;
}

type Feedbacks = "review" | "outcome";

/** A row as JSON up to what came after the decision, from its document: this much never changes. */
export function listRowHead(document: string): string {
  return JSON.stringify(rowOf(readDocument(document))).slice(0, -1);
}

/** The row, from its head and what came after the decision. */
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
