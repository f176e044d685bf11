import type { Pool } from "pg";
import { idFloorHex } from "../../domain/ids/ids.js";
import { MODES } from "../../domain/vocabulary/vocabulary.js";
import type { NotedFeedback } from "./lane-queries.js";
import { copyOut, NO_ROWS, uuid, uuids, type CopiedRows } from "./copy-out.js";
import { withDocuments, type LineRoom } from "./with-documents.js";

const PLAIN_COLUMNS = [
  "workspace_id",
  "mode",
  "decision_id",
  "decision_mode",
  "action",
  "risk_band",
  "payment_method",
  "card_network",
  "country",
  "currency",
  "merchant_id",
  "order_id",
  "primary_provider",
  "fallback_provider",
  "amount_minor",
  "latency_units",
  "cost_minor",
  "cost_dearest_minor",
  "cost_first_minor",
] as const;

export const DECISION_COLUMNS: readonly string[] = [...PLAIN_COLUMNS, "document"];

const MODE_POSITIONS = MODES.map((_, position) => position).join(", ");

/**
 * Document blocks, and the time span of their decisions. `startMs` and `endMs` are Unix milliseconds; `endMs` is
 * excluded.
 */
export interface Blocks {
  workspaceIds: readonly string[];
  segmentIds: readonly string[];
  startMs: number;
  endMs: number;
}

/**
 * Reads the blocks' decisions, each with its document. `only` restricts them to these ids. The returned bytes are in
 * `room`, and the next call overwrites them.
 */
export async function readDecisions(
  pool: Pool,
  blocks: Blocks,
  room: LineRoom,
  only: readonly string[] | null = null,
): Promise<CopiedRows> {
  if (blocks.segmentIds.length === 0) return NO_ROWS;
  const workspaceIds = [...new Set(blocks.workspaceIds)];
  const [{ bytes }, segments] = await Promise.all([
    copyOut(
      pool,
      `select ${PLAIN_COLUMNS.join(", ")}, segment_id, doc_offset, doc_bytes from decisions
       where workspace_id = any(${uuids(workspaceIds)}) and mode in (${MODE_POSITIONS})
         and decision_id >= ${uuid(idFloorHex(blocks.startMs))} and decision_id < ${uuid(idFloorHex(blocks.endMs))}
         and segment_id = any(${uuids(blocks.segmentIds)})
         ${only === null ? "" : `and decision_id = any(${uuids(only)})`}`,
    ),
    readSegments(pool, workspaceIds, blocks.segmentIds),
  ]);
  return withDocuments(bytes, segments, room);
}

async function readSegments(
  pool: Pool,
  workspaceIds: readonly string[],
  segmentIds: readonly string[],
): Promise<Map<string, Buffer>> {
  const { rows } = await pool.query<{ segment_id: string; docs: Buffer }>(
    `select segment_id, docs from decision_segments
     where workspace_id = any($1::uuid[]) and segment_id = any($2::uuid[])`,
    [workspaceIds, segmentIds],
  );
  return new Map(rows.map(({ segment_id, docs }) => [segment_id, docs]));
}

export const OUTCOME_COLUMNS = [
  "workspace_id",
  "mode",
  "decision_id",
  "outcome",
  "technical_failure_type",
  "order_id",
  "provider_used",
  "provider_reason_code",
  "provider_latency_ms",
  "amount_minor",
  "currency",
  "reported_at_us",
  "attempted_at_us",
  "version",
] as const;

/** When the statement began, in microseconds. So a later read has a higher version. */
const VERSION = "(extract(epoch from now()) * 1000000)::bigint";

/** The SQL expressions for OUTCOME_COLUMNS, from `outcomes o`. */
export const OUTCOME_TEXTS = `o.workspace_id, o.mode, o.decision_id, o.outcome, o.technical_failure_type, o.order_id,
  o.provider_used, o.provider_reason_code, o.provider_latency_ms, o.amount_minor, o.currency,
  (extract(epoch from o.reported_at) * 1000000)::bigint, (extract(epoch from o.created_at) * 1000000)::bigint,
  ${VERSION}`;

export const REVIEW_COLUMNS = [
  "workspace_id",
  "mode",
  "decision_id",
  "resolution",
  "note",
  "resolved_by",
  "resolved_at_us",
  "version",
] as const;

/** The SQL expressions for REVIEW_COLUMNS, from `reviews r`. */
export const REVIEW_TEXTS = `r.workspace_id, r.mode, r.decision_id, r.resolution, r.note, r.resolved_by,
  (extract(epoch from r.resolved_at) * 1000000)::bigint, ${VERSION}`;

/**
 * CH-5: reads the current outcomes of the noted decisions. If an outcome is replaced, a later batch notes it again, so
 * that ClickHouse gets the last version last.
 */
export async function readOutcomes(pool: Pool, noted: NotedFeedback): Promise<CopiedRows> {
  if (noted.decisionIds.length === 0) return NO_ROWS;
  return copyOut(pool, `select ${OUTCOME_TEXTS} from ${listed(noted)} join outcomes o using (${KEY})`);
}

/** CH-21: reads the current reviews of the noted decisions. */
export async function readReviews(pool: Pool, noted: NotedFeedback): Promise<CopiedRows> {
  return copyOut(pool, `select ${REVIEW_TEXTS} from ${listed(noted)} join reviews r using (${KEY})`);
}

const KEY = "workspace_id, mode, decision_id";

/** The noted decisions as an SQL table. `distinct` is there because a decision may be noted several times. */
const listed = ({ workspaceIds, modes, decisionIds }: NotedFeedback): string =>
  `(select distinct * from unnest(${uuids(workspaceIds)}, '{${modes.join()}}'::smallint[], ${uuids(decisionIds)}))
   noted (${KEY})`;
