import type { Pool } from "pg";
import { idFromHex, idToHex } from "../shared/ids.js";
import {
  MODES,
  OUTCOMES,
  REVIEW_RESOLUTIONS,
  TECHNICAL_FAILURE_TYPES,
  type Mode,
  type Outcome,
  type ReviewResolution,
  type TechnicalFailureType,
} from "../shared/vocabulary.js";
import { decodeSegment } from "./segment-codec.js";

/** The outcome stored for a decision; failure_class and approved follow from `outcome` (contract §6). */
export interface StoredOutcome {
  outcome: Outcome;
  /** Null, like the latency, on a rejected review. */
  providerUsed: string | null;
  providerLatencyMs: number | null;
  providerReasonCode: string | null;
  technicalFailureType: TechnicalFailureType | null;
  amountMinor: number | null;
  currency: string | null;
  reportedAt: Date;
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
  /** The record exactly as it was journalled: UTF-8 JSON. */
  doc: string;
  outcome: StoredOutcome | null;
  review: StoredReview | null;
}

interface FoundRow {
  merchant_id: string;
  doc_offset: number;
  doc_bytes: number;
  docs: Buffer;
  outcome: number | null;
  provider_used: string | null;
  provider_latency_ms: string | null;
  provider_reason_code: string | null;
  technical_failure_type: number | null;
  amount_minor: string | null;
  currency: string | null;
  reported_at: Date;
  resolution: number | null;
  note: string | null;
  resolved_by: string;
  resolved_at: Date;
}

const FIND_DECISION = {
  name: "find_decision",
  text: `select d.merchant_id, d.doc_offset, d.doc_bytes, s.docs,
                o.outcome, o.provider_used, o.provider_latency_ms, o.provider_reason_code,
                o.technical_failure_type, o.amount_minor, o.currency, o.reported_at,
                r.resolution, r.note, r.resolved_by, r.resolved_at
         from decisions d
         join decision_segments s on s.workspace_id = d.workspace_id and s.segment_id = d.segment_id
         left join outcomes o on o.workspace_id = d.workspace_id and o.mode = d.mode and o.decision_id = d.decision_id
         left join reviews r on r.workspace_id = d.workspace_id and r.mode = d.mode and r.decision_id = d.decision_id
         where d.workspace_id = $1 and d.mode = $2 and d.decision_id = $3`,
};

/**
 * One decision of a workspace and mode with its outcome and review, or null; a decision of another workspace or mode
 * is null as well (contract §3). `workspaceId` is `ws_…`, `decisionId` `dec_…`, both well-formed.
 */
export async function findDecision(
  pool: Pool,
  workspaceId: string,
  mode: Mode,
  decisionId: string,
): Promise<StoredDecision | null> {
  const values = [idToHex(workspaceId), MODES.indexOf(mode), idToHex(decisionId)];
  const { rows } = await pool.query<FoundRow>({ ...FIND_DECISION, values });
  const row = rows[0];
  if (row === undefined) return null;
  const docs = await decodeSegment(row.docs);
  return {
    merchantId: row.merchant_id,
    doc: docs.toString("utf8", row.doc_offset, row.doc_offset + row.doc_bytes),
    outcome: row.outcome === null ? null : outcomeOf(row, row.outcome),
    review: row.resolution === null ? null : reviewOf(row, row.resolution),
  };
}

function outcomeOf(row: FoundRow, outcome: number): StoredOutcome {
  return {
    outcome: OUTCOMES[outcome] as Outcome,
    providerUsed: row.provider_used,
    providerLatencyMs: row.provider_latency_ms === null ? null : Number(row.provider_latency_ms),
    providerReasonCode: row.provider_reason_code,
    technicalFailureType:
      row.technical_failure_type === null
        ? null
        : (TECHNICAL_FAILURE_TYPES[row.technical_failure_type] as TechnicalFailureType),
    amountMinor: row.amount_minor === null ? null : Number(row.amount_minor),
    currency: row.currency,
    reportedAt: row.reported_at,
  };
}

function reviewOf(row: FoundRow, resolution: number): StoredReview {
  return {
    resolution: REVIEW_RESOLUTIONS[resolution] as ReviewResolution,
    note: row.note,
    resolvedBy: idFromHex("usr", row.resolved_by),
    resolvedAt: row.resolved_at,
  };
}
