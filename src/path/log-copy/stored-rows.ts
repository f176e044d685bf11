import type { Pool } from "pg";
import { idFloorHex } from "../../domain/ids/ids.js";
import { MODES } from "../../domain/vocabulary/vocabulary.js";
import { decodeSegment } from "../writer/copy/segment-codec.js";
import type { NotedBatches } from "./lane-queries.js";
import { cellsOf, isPlainBytes, tabSeparated, type Cell } from "./tab-separated.js";

/** The rows of one insert. */
export interface CopiedRows {
  rows: number;
  bytes: Buffer;
}

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

const ID_AT = PLAIN_COLUMNS.indexOf("decision_id");
const MODE_POSITIONS = MODES.map((_, position) => position);

/** Values stay as PostgreSQL's text, because ClickHouse reads the same text. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

async function textRows(pool: Pool, text: string, values: unknown[]): Promise<Cell[][]> {
  const { rows } = await pool.query<Cell[]>({ text, values, rowMode: "array", types: AS_TEXT });
  return rows;
}

/**
 * Blocks of documents, and the time span of their decisions: from `startMs` to before `endMs`, in Unix milliseconds.
 */
export interface Blocks {
  workspaceIds: readonly string[];
  segmentIds: readonly string[];
  startMs: number;
  endMs: number;
}

const NO_ROWS: CopiedRows = { rows: 0, bytes: Buffer.alloc(0) };

/** Reads the decisions of the blocks with their documents. With `only`, it reads just these decisions. */
export async function readDecisions(
  pool: Pool,
  blocks: Blocks,
  only: ReadonlySet<string> | null = null,
): Promise<CopiedRows> {
  if (blocks.segmentIds.length === 0) return NO_ROWS;
  const span = [idFloorHex(blocks.startMs), idFloorHex(blocks.endMs)];
  const workspaceIds = [...new Set(blocks.workspaceIds)];
  const [rows, segments] = await Promise.all([
    textRows(
      pool,
      `select ${PLAIN_COLUMNS.join(", ")}, segment_id, doc_offset, doc_bytes from decisions
       where workspace_id = any($1::uuid[]) and mode = any($5::smallint[])
         and decision_id >= $3::uuid and decision_id < $4::uuid and segment_id = any($2::uuid[])`,
      [workspaceIds, blocks.segmentIds, ...span, MODE_POSITIONS],
    ),
    readSegments(pool, workspaceIds, blocks.segmentIds),
  ]);
  return withDocuments(only === null ? rows : rows.filter((row) => only.has(row[ID_AT] as string)), segments);
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

const TAB = Buffer.from("\t");
const END_OF_ROW = Buffer.from("\n");

/**
 * The last three cells of a row give the place of its document. One segment is decoded at a time. Documents stay
 * bytes, because converting them to text takes half as long again.
 */
function withDocuments(rows: readonly Cell[][], segments: ReadonlyMap<string, Buffer>): CopiedRows {
  const parts: Buffer[] = [];
  let copied = 0;
  for (const [segmentId, some] of groupedBySegment(rows)) {
    const packed = segments.get(segmentId);
    // Retention may drop a week between the two reads. Its rows are then no longer needed.
    if (packed === undefined) continue;
    const docs = decodeSegment(packed);
    const isPlain = isPlainBytes(docs);
    for (const row of some) {
      const start = Number(row.at(-2));
      const document = docs.subarray(start, start + Number(row.at(-1)));
      const cells = Buffer.from(cellsOf(row.slice(0, -3)));
      parts.push(cells, TAB, isPlain ? document : Buffer.from(cellsOf([document.toString()])), END_OF_ROW);
      copied++;
    }
  }
  return { rows: copied, bytes: Buffer.concat(parts) };
}

function groupedBySegment(rows: readonly Cell[][]): Map<string, Cell[][]> {
  const groups = new Map<string, Cell[][]>();
  for (const row of rows) {
    const segmentId = row.at(-3) as string;
    const group = groups.get(segmentId);
    if (group === undefined) groups.set(segmentId, [row]);
    else group.push(row);
  }
  return groups;
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

/** The time at which the statement began, in microseconds. A later read therefore has a higher version. */
const VERSION = "(extract(epoch from now()) * 1000000)::bigint";

/** The expressions of OUTCOME_COLUMNS over `outcomes o`. */
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

/** The expressions of REVIEW_COLUMNS over `reviews r`. */
export const REVIEW_TEXTS = `r.workspace_id, r.mode, r.decision_id, r.resolution, r.note, r.resolved_by,
  (extract(epoch from r.resolved_at) * 1000000)::bigint, ${VERSION}`;

/**
 * CH-5: reads the current outcomes. A replaced outcome is in a later batch too, so ClickHouse gets its last version
 * last.
 */
export async function readOutcomes(pool: Pool, { outcomes }: NotedBatches): Promise<CopiedRows> {
  const { workspaceIds, modes, decisionIds } = outcomes;
  if (decisionIds.length === 0) return NO_ROWS;
  return readFeedback(
    pool,
    `select ${OUTCOME_TEXTS}
     from (select distinct * from unnest($1::uuid[], $2::smallint[], $3::uuid[])) noted (workspace_id, mode, decision_id)
     join outcomes o using (workspace_id, mode, decision_id)`,
    [workspaceIds, modes, decisionIds],
  );
}

/** Runs a query that selects the columns of a ClickHouse table. */
export async function readFeedback(pool: Pool, sql: string, values: unknown[]): Promise<CopiedRows> {
  const rows = await textRows(pool, sql, values);
  return { rows: rows.length, bytes: Buffer.from(rows.map(tabSeparated).join("")) };
}
