import type { Pool } from "pg";
import type { Queryable } from "../../platform/postgres/pool.js";
import type { LiveOutcomes } from "../../domain/health/monitor/live-outcome.js";
import type { RetryOutcomes } from "../../domain/retries/recovery.js";
import { latencyOfBin } from "../../domain/statistics/latency-histogram.js";
import { blameOf } from "../../domain/outcomes/decline-blame.js";
import { idFromHex } from "../../domain/ids/ids.js";
import {
  CARD_NETWORKS,
  MODES,
  OUTCOMES,
  PAYMENT_METHODS,
  TECHNICAL_FAILURE_TYPES,
  type CardNetwork,
  type Mode,
  type Outcome,
  type PaymentMethod,
  type TechnicalFailureType,
} from "../../domain/vocabulary/vocabulary.js";

/** The position up to which evidence has been read. */
export interface EvidenceCursor {
  /** A pg_snapshot as text. Every row that it shows has been read. Null if nothing has been read. */
  snapshot: string | null;
  /** Where a look with several pages continues. Null between looks. */
  page: EvidencePagePosition | null;
}

/** The position at which the next page of a look begins. */
export interface EvidencePagePosition {
  /** A pg_snapshot as text. All pages of a look select the rows that this snapshot of the first page shows. */
  target: string;
  storedBy: string;
  evidenceId: string;
}

export interface EvidencePage {
  outcomes: LiveOutcomes[];
  retries: RetryOutcomes[];
  next: EvidenceCursor;
  /** The number of rows that this build cannot read. */
  skipped: number;
  /** True if more evidence is already stored. */
  isFull: boolean;
}

/** The JSON of one outcome in outcome_evidence.evidence (migrations/0005_outcomes.sql). */
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
  declineCode: string | null,
  country: string | null,
  cardNetwork: number | null,
];

const PAGE_ROWS = 500;

interface EvidenceQueryRow {
  snapshot: string;
  stored_by: string | null;
  evidence_id: string;
  evidence: unknown;
}

/**
 * HLTH-27: reads the evidence stored since `after`, in the order of its transactions. Null reads the last
 * `windowSeconds`. The server's own snapshots select the transactions, as for the change feed. A transaction that stays
 * open, in any database of the server, delays no other. A transaction that begins early and commits late is found by a
 * later look. No transaction is found by two looks.
 */
export async function readEvidence(
  pool: Pool,
  after: EvidenceCursor | null,
  windowSeconds: number,
): Promise<EvidencePage> {
  const { snapshot, page } = after ?? { snapshot: null, page: null };
  const { rows } = await pool.query<EvidenceQueryRow>({
    name: "read_outcome_evidence",
    text: `with bounds as materialized (
             select coalesce($2::pg_snapshot, pg_current_snapshot()) as target,
               coalesce(pg_snapshot_xmin($1::pg_snapshot),
                        (select min(stored_by) from outcome_evidence
                         where stored_at > now() - $5 * interval '1 second')) as first
           )
           select target::text as snapshot, e.* from bounds
           left join lateral (
             select stored_by::text, evidence_id::text, evidence from outcome_evidence
             where stored_by >= first
               and (stored_by, evidence_id) > ($3::xid8, $4::bigint)
               and ($1::pg_snapshot is null or not pg_visible_in_snapshot(stored_by, $1::pg_snapshot))
               and pg_visible_in_snapshot(stored_by, target)
             order by outcome_evidence.stored_by, outcome_evidence.evidence_id limit ${PAGE_ROWS}
           ) e on true`,
    values: [snapshot, page?.target ?? null, page?.storedBy ?? "0", page?.evidenceId ?? "0", windowSeconds],
  });
  const stored = rows.filter(({ stored_by: storedBy }) => storedBy !== null);
  const target = (rows[0] as EvidenceQueryRow).snapshot;
  const last = stored.at(-1);
  const isFull = stored.length === PAGE_ROWS && last !== undefined;
  const read = stored.map(({ evidence }) => ({
    outcomes: outcomesIn(evidence),
    retries: retriesIn(evidence),
  }));
  return {
    outcomes: read.flatMap(({ outcomes }) => outcomes ?? []),
    retries: read.flatMap(({ retries }) => retries ?? []),
    skipped: read.filter(({ outcomes, retries }) => outcomes === null && retries === null).length,
    next: isFull
      ? { snapshot, page: { target, storedBy: last.stored_by as string, evidenceId: last.evidence_id } }
      : { snapshot: target, page: null },
    isFull,
  };
}

/** Deletes evidence that is older than `olderThanSeconds`. */
export async function dropOldEvidence(pool: Pool, olderThanSeconds: number): Promise<void> {
  await pool.query("delete from outcome_evidence where stored_at < now() - $1 * interval '1 second'", [
    olderThanSeconds,
  ]);
}

/** RET-23: removes a workspace's outcomes from all evidence. The rows stay, because nodes read by row positions. */
export async function forgetEvidence(db: Queryable, workspaceId: string): Promise<void> {
  const others = (list: string): string =>
    `(select coalesce(json_agg(e), '[]') from json_array_elements(${list}) e where e ->> 0 <> $1)`;
  await db.query(
    `update outcome_evidence set evidence = case json_typeof(evidence)
       when 'array' then ${others("evidence")}
       else json_build_object('retries', ${others("evidence -> 'retries'")}) end
     where strpos(evidence::text, $1) > 0`,
    [workspaceId],
  );
}

/** The outcomes in one row. Null for a row of retries, and for a row that this build cannot read. */
function outcomesIn(evidence: unknown): LiveOutcomes[] | null {
  return Array.isArray(evidence) && evidence.every(isEvidence) ? evidence.map(outcomesOf) : null;
}

/** RTRY-19: the outcomes of retries in one row. Null for a row of other outcomes, and for one that cannot be read. */
function retriesIn(evidence: unknown): RetryOutcomes[] | null {
  const { retries } = (evidence ?? {}) as { retries?: unknown };
  return Array.isArray(retries) && retries.every(isRetryRow) ? retries.map(retryOf) : null;
}

/** The JSON of one outcome in a row of retries (migrations/0007_costs_and_retries.sql). */
type RetryRow = [
  workspaceId: string,
  mode: number,
  code: string,
  attempt: number,
  provider: string,
  approved: boolean,
  attemptedAtSeconds: number,
  count: number,
];

function isRetryRow(row: unknown): row is RetryRow {
  if (!Array.isArray(row)) return false;
  const [workspaceId, mode, code, attempt, provider, approved, ...numbers] = row as unknown[];
  return (
    typeof workspaceId === "string" &&
    WORKSPACE_ID.test(workspaceId) &&
    typeof mode === "number" &&
    MODES[mode] !== undefined &&
    typeof code === "string" &&
    typeof provider === "string" &&
    typeof approved === "boolean" &&
    numbers.length === 2 &&
    [attempt, ...numbers].every((value) => Number.isSafeInteger(value))
  );
}

function retryOf([
  workspaceId,
  mode,
  code,
  attempt,
  provider,
  approved,
  seconds,
  count,
]: RetryRow): RetryOutcomes {
  return {
    workspaceId: idFromHex("ws", workspaceId),
    mode: MODES[mode] as Mode,
    code,
    attempt,
    provider,
    approved,
    atMs: seconds * 1000,
    count,
  };
}

const WORKSPACE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function isEvidence(row: unknown): row is EvidenceRow {
  if (!Array.isArray(row)) return false;
  const [workspaceId, mode, provider, paymentMethod, currency, outcome, failureType, ...rest] =
    row as unknown[];
  const [cardNetwork, country, declineCode, ...numbers] = rest.toReversed();
  const isOneOf = (position: unknown, values: readonly unknown[]): boolean =>
    typeof position === "number" && values[position] !== undefined;
  return (
    typeof workspaceId === "string" &&
    WORKSPACE_ID.test(workspaceId) &&
    isOneOf(mode, MODES) &&
    typeof provider === "string" &&
    isOneOf(paymentMethod, PAYMENT_METHODS) &&
    typeof currency === "string" &&
    isOneOf(outcome, OUTCOMES) &&
    (failureType === null || isOneOf(failureType, TECHNICAL_FAILURE_TYPES)) &&
    isTextOrNull(declineCode) &&
    isTextOrNull(country) &&
    (cardNetwork === null || isOneOf(cardNetwork, CARD_NETWORKS)) &&
    numbers.length === 3 &&
    numbers.every((value) => Number.isSafeInteger(value))
  );
}

function outcomesOf(row: EvidenceRow): LiveOutcomes {
  const [workspaceId, mode, provider, paymentMethod, currency, outcome, failureType, seconds, bin, ...rest] =
    row;
  const [count, declineCode, country, cardNetwork] = rest;
  return {
    workspaceId: idFromHex("ws", workspaceId),
    mode: MODES[mode] as Mode,
    provider,
    paymentMethod: PAYMENT_METHODS[paymentMethod] as PaymentMethod,
    currency,
    country,
    cardNetwork:
      country === null || cardNetwork === null ? null : (CARD_NETWORKS[cardNetwork] as CardNetwork),
    outcome: OUTCOMES[outcome] as Outcome,
    technicalFailureType:
      failureType === null ? null : (TECHNICAL_FAILURE_TYPES[failureType] as TechnicalFailureType),
    atMs: seconds * 1000,
    latencyMs: latencyOfBin(bin),
    blame: blameOf(declineCode),
    count,
  };
}
