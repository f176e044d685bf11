import type { Pool } from "pg";
import type { LiveOutcomes } from "../../domain/health/live-outcome.js";
import { latencyOfBin } from "../../domain/health/latency-histogram.js";
import { idFromHex } from "../../domain/ids/ids.js";
import {
  MODES,
  OUTCOMES,
  PAYMENT_METHODS,
  TECHNICAL_FAILURE_TYPES,
  type Mode,
  type Outcome,
  type PaymentMethod,
  type TechnicalFailureType,
} from "../../domain/vocabulary/vocabulary.js";

/** Up to which transaction evidence has been read; PostgreSQL's xid8 as text. */
export type EvidenceCursor = string;

export interface EvidencePage {
  outcomes: LiveOutcomes[];
  next: EvidenceCursor;
  /** More is stored already. */
  isFull: boolean;
}

/** As outcome_evidence has it: migrations/0007_outcomes.sql. */
type EvidenceRow = [
  workspaceId: string,
  mode: number,
  provider: string,
  paymentMethod: number,
  currency: string,
  outcome: number,
  technicalFailureType: number | null,
  attemptedAtSeconds: number,
  latencyBin: number,
  count: number,
];

const PAGE_ROWS = 500;

/**
 * What outcomes said that were stored behind `after`, in the order of their transactions; without one, of the last
 * `windowSeconds`. A transaction that is still open hides the later ones: none is passed over, and none is read twice.
 */
export async function readEvidence(
  pool: Pool,
  after: EvidenceCursor | null,
  windowSeconds: number,
): Promise<EvidencePage> {
  const { rows } = await pool.query<{ horizon: string; stored_by: string | null; evidence: EvidenceRow[] }>({
    name: "read_outcome_evidence",
    text: `with bounds as materialized (
             select pg_snapshot_xmin(pg_current_snapshot()) as horizon,
               coalesce($1::xid8, (select min(stored_by) from outcome_evidence
                                   where stored_at > now() - $2 * interval '1 second')) as first
           )
           select horizon::text, e.stored_by::text, e.evidence from bounds
           left join lateral (
             select stored_by, evidence from outcome_evidence
             where stored_by >= first and stored_by < horizon order by stored_by limit ${PAGE_ROWS}
           ) e on true
           order by e.stored_by`,
    values: [after, windowSeconds],
  });
  const stored = rows.filter(({ stored_by }) => stored_by !== null);
  const isFull = stored.length === PAGE_ROWS;
  const last = stored.at(-1)?.stored_by ?? null;
  return {
    outcomes: stored.flatMap(({ evidence }) => evidence.map(outcomesOf)),
    next: isFull && last !== null ? String(BigInt(last) + 1n) : (rows[0]?.horizon as string),
    isFull,
  };
}

/** What is older than any window. */
export async function dropOldEvidence(pool: Pool, olderThanSeconds: number): Promise<void> {
  await pool.query("delete from outcome_evidence where stored_at < now() - $1 * interval '1 second'", [
    olderThanSeconds,
  ]);
}

function outcomesOf(row: EvidenceRow): LiveOutcomes {
  const [workspaceId, mode, provider, paymentMethod, currency, outcome, failureType, seconds, bin, count] =
    row;
  return {
    workspaceId: idFromHex("ws", workspaceId),
    mode: MODES[mode] as Mode,
    provider,
    paymentMethod: PAYMENT_METHODS[paymentMethod] as PaymentMethod,
    currency,
    outcome: OUTCOMES[outcome] as Outcome,
    technicalFailureType:
      failureType === null ? null : (TECHNICAL_FAILURE_TYPES[failureType] as TechnicalFailureType),
    atMs: seconds * 1000,
    latencyMs: latencyOfBin(bin),
    count,
  };
}
