import { idFromHex } from "../../../domain/ids/ids.js";
import {
  OUTCOMES,
  REVIEW_RESOLUTIONS,
  TECHNICAL_FAILURE_TYPES,
  type Outcome,
  type ReviewResolution,
  type TechnicalFailureType,
} from "../../../domain/vocabulary/vocabulary.js";

/** The outcome stored for a decision. failure_class and approved follow from `outcome` (OUT-4). */
export interface StoredOutcome {
  outcome: Outcome;
  /** Null for the outcome of a rejected review. The latency is then null too. */
  providerUsed: string | null;
  /** Milliseconds. */
  providerLatencyMs: number | null;
  providerReasonCode: string | null;
  technicalFailureType: TechnicalFailureType | null;
  /** Minor units. */
  amountMinor: number | null;
  currency: string | null;
  reportedAt: Date;
  /** The time that the report states. Only backfills state one. */
  createdAt: Date | null;
}

export interface StoredReview {
  resolution: ReviewResolution;
  note: string | null;
  /** `usr_…` */
  resolvedBy: string;
  resolvedAt: Date;
}

export interface StoredDecision {
  merchantId: string;
  /** The record as UTF-8 JSON, exactly as it was journalled. */
  doc: string;
  outcome: StoredOutcome | null;
  review: StoredReview | null;
}

/** The columns of an outcome and a review, as `FEEDBACK_JOINS` provides them. */
export interface FeedbackRow {
  outcome: number | null;
  provider_used: string | null;
  provider_latency_ms: string | null;
  provider_reason_code: string | null;
  technical_failure_type: number | null;
  outcome_amount_minor: string | null;
  outcome_currency: string | null;
  reported_at: Date;
  created_at: Date | null;
  resolution: number | null;
  note: string | null;
  resolved_by: string;
  resolved_at: Date;
}

export const FEEDBACK_COLUMNS = `o.outcome, o.provider_used, o.provider_latency_ms, o.provider_reason_code,
  o.technical_failure_type, o.amount_minor as outcome_amount_minor, o.currency as outcome_currency, o.reported_at,
  o.created_at, r.resolution, r.note, r.resolved_by, r.resolved_at`;

/** Joins the outcome and the review of `d`. */
export const FEEDBACK_JOINS = `
  left join outcomes o on o.workspace_id = d.workspace_id and o.mode = d.mode and o.decision_id = d.decision_id
  left join reviews r on r.workspace_id = d.workspace_id and r.mode = d.mode and r.decision_id = d.decision_id`;

/** The part of a decision's feedback that pages show. */
export interface PageFeedback {
  outcome: Pick<StoredOutcome, "outcome" | "providerUsed" | "providerLatencyMs"> | null;
  review: StoredReview | null;
}

/** The columns of `PAGE_FEEDBACK_COLUMNS`. */
export interface PageFeedbackRow {
  outcome: [outcome: number, providerUsed: string | null, providerLatencyMs: number | null] | null;
  review: [resolution: number, note: string | null, resolvedBy: string, resolvedAt: string] | null;
}

/**
 * Selects the feedback of each row of a page `d`, in workspace `$1` and mode `$2`. Scalar subqueries stay look-ups by
 * primary key. The planner could turn a join into a scan of all outcomes.
 */
export const PAGE_FEEDBACK_COLUMNS = `
  (select json_build_array(o.outcome, o.provider_used, o.provider_latency_ms) from outcomes o
   where o.workspace_id = $1 and o.mode = $2 and o.decision_id = d.decision_id) as outcome,
  (select json_build_array(r.resolution, r.note, r.resolved_by, r.resolved_at) from reviews r
   where r.workspace_id = $1 and r.mode = $2 and r.decision_id = d.decision_id) as review`;

export function pageOutcomeOf({ outcome: stored }: PageFeedbackRow): PageFeedback["outcome"] {
  if (stored === null) return null;
  const [outcome, providerUsed, providerLatencyMs] = stored;
  return { outcome: OUTCOMES[outcome] as Outcome, providerUsed, providerLatencyMs };
}

export function pageReviewOf({ review }: PageFeedbackRow): PageFeedback["review"] {
  if (review === null) return null;
  const [resolution, note, resolvedBy, resolvedAt] = review;
  return {
    resolution: REVIEW_RESOLUTIONS[resolution] as ReviewResolution,
    note,
    resolvedBy: idFromHex("usr", resolvedBy),
    resolvedAt: new Date(resolvedAt),
  };
}

export function outcomeOf(row: FeedbackRow): StoredOutcome | null {
  if (row.outcome === null) return null;
  return {
    outcome: OUTCOMES[row.outcome] as Outcome,
    providerUsed: row.provider_used,
    providerLatencyMs: numberOrNull(row.provider_latency_ms),
    providerReasonCode: row.provider_reason_code,
    technicalFailureType:
      row.technical_failure_type === null
        ? null
        : (TECHNICAL_FAILURE_TYPES[row.technical_failure_type] as TechnicalFailureType),
    amountMinor: numberOrNull(row.outcome_amount_minor),
    currency: row.outcome_currency,
    reportedAt: row.reported_at,
    createdAt: row.created_at,
  };
}

export function reviewOf(row: FeedbackRow): StoredReview | null {
  if (row.resolution === null) return null;
  return {
    resolution: REVIEW_RESOLUTIONS[row.resolution] as ReviewResolution,
    note: row.note,
    resolvedBy: idFromHex("usr", row.resolved_by),
    resolvedAt: row.resolved_at,
  };
}

function numberOrNull(bigint: string | null): number | null {
  return bigint === null ? null : Number(bigint);
}
