import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import {
  type ExportError,
  type ExportFormat,
  type ExportKind,
  MODES,
  type Mode,
} from "../../../domain/vocabulary/vocabulary.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { EXPORT_TUNING } from "./export-tuning.js";
import type { Queryable } from "../../../platform/postgres/pool.js";
import { sqlStateOf } from "../../../platform/postgres/sql-state.js";
import type { ExportFilters } from "../wire/export-schema.js";
import type { Chunk } from "./chunk.js";
import type { ExportRequest } from "./export.js";
import { IS_CHANGEABLE } from "./unfinished.js";

/** An export that this node has leased. No other node makes it until the lease ends. */
export interface Job extends ExportRequest {
  workspaceId: string;
  exportId: string;
  /** The number of this attempt. Only the latest attempt may write. */
  attempt: number;
  nodeId: string;
}

/** The progress of a job. */
export interface Progress {
  rows: number;
  totalRows: number | null;
  bytes: number;
}

const LEASE = `now() + interval '${EXPORT_TUNING.leaseSeconds} seconds'`;
const UNIQUE_VIOLATION = "23505";

/**
 * EXP-8: leases an export of the workspace that was served longest ago. An interrupted export comes before the same
 * workspace's other exports. If two nodes lease two exports of one workspace at once, the index exports_running refuses
 * the second lease.
 */
export async function leaseExport(db: Queryable, nodeId: string): Promise<Job | null> {
  try {
    const { rows } = await db.query<JobRow>({
      name: "lease_export",
      text: `with next as (
           select distinct on (e.workspace_id) e.workspace_id, e.export_id
           from exports e join workspaces w using (workspace_id)
           where e.status in ('queued', 'running') and w.status = 0 and e.${IS_CHANGEABLE}
           order by e.workspace_id, (e.status = 'running') desc, e.export_id),
         due as (
           select e.workspace_id, e.export_id from next join exports e using (workspace_id, export_id)
           where e.status in ('queued', 'running') and (e.status = 'queued' or e.leased_until < now())
           order by (select max(s.started_at) from exports s where s.workspace_id = e.workspace_id) nulls first,
             e.export_id
           limit 1 for no key update of e skip locked)
         update exports e
         set status = 'running', attempts = e.attempts + 1, started_at = now(), leased_by = $1, leased_until = ${LEASE},
           rows = 0, total_rows = null, bytes = 0
         from due where e.workspace_id = due.workspace_id and e.export_id = due.export_id
         returning e.workspace_id, e.export_id, e.kind, e.format, e.mode, e.since, e.until, e.filters, e.attempts`,
      values: [nodeId],
    });
    return rows[0] === undefined ? null : jobOf(rows[0], nodeId);
  } catch (error) {
    if (sqlStateOf(error) === UNIQUE_VIOLATION) return null;
    throw error;
  }
}

/** Ends all leases of this node. Call it when the thread starts or stops, because the thread makes no export then. */
export async function dropOwnLeases(db: Queryable, nodeId: string): Promise<void> {
  await db.query(
    `update exports set leased_until = now() - interval '1 second'
     where status = 'running' and leased_by = $1 and ${IS_CHANGEABLE}`,
    [nodeId],
  );
}

/** Deletes the pieces of an earlier attempt. */
export async function dropChunks(db: Queryable, job: Job): Promise<void> {
  await db.query(
    "delete from export_chunks where workspace_id = $1 and export_id = $2",
    keyOf(job).slice(0, 2),
  );
}

const IS_OWN =
  "workspace_id = $1 and export_id = $2 and attempts = $3 and leased_by = $4 and status = 'running'";

/** Returns false if another node has taken the job, or if the export was deleted. */
export async function renewLease(
  db: Queryable,
  job: Job,
  { rows, totalRows }: Omit<Progress, "bytes">,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update exports set leased_until = ${LEASE}, rows = $5, total_rows = $6 where ${IS_OWN}`,
    [...keyOf(job), rows, totalRows],
  );
  return rowCount === 1;
}

/**
 * Stores a piece of the file and renews the lease. Returns false if another node has taken the job, or if the export
 * was deleted.
 */
export async function addChunk(
  db: Queryable,
  job: Job,
  { rawOffset, rawBytes, content }: Chunk,
  { rows, totalRows, bytes }: Progress,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "add_export_chunk",
    text: `with own as (
         update exports set leased_until = ${LEASE}, rows = $5, total_rows = $6, bytes = $7
         where ${IS_OWN} returning workspace_id, export_id)
       insert into export_chunks (workspace_id, export_id, raw_offset, raw_bytes, content)
       select workspace_id, export_id, $8, $9, $10 from own`,
    values: [...keyOf(job), rows, totalRows, bytes, rawOffset, rawBytes, content],
  });
  return rowCount === 1;
}

/** EXP-11: a trigger adds the event in the same transaction. */
export async function finishExport(
  db: Queryable,
  job: Job,
  { rows, bytes, sha256 }: { rows: number; bytes: number; sha256: Buffer },
): Promise<void> {
  await db.query(
    `update exports set status = 'done', rows = $5, total_rows = $5, bytes = $6, sha256 = $7, finished_at = now(),
       expires_at = now() + interval '${LIMITS.exportFileLifeHours} hours', leased_until = null
     where ${IS_OWN}`,
    [...keyOf(job), rows, bytes, sha256],
  );
}

/** EXP-9: marks an export as failed and deletes its pieces. */
export async function failExport(db: Queryable, job: Job, error: ExportError): Promise<void> {
  await db.query(
    `with failed as (
       update exports set status = 'failed', error = $5, finished_at = now(), leased_until = null,
         expires_at = now() + interval '${LIMITS.exportFileLifeHours} hours'
       where ${IS_OWN} returning workspace_id, export_id)
     delete from export_chunks c using failed f
     where c.workspace_id = f.workspace_id and c.export_id = f.export_id`,
    [...keyOf(job), error],
  );
}

const keyOf = ({ workspaceId, exportId, attempt, nodeId }: Job): (string | number)[] => [
  idToHex(workspaceId),
  idToHex(exportId),
  attempt,
  nodeId,
];

interface JobRow {
  workspace_id: string;
  export_id: string;
  kind: ExportKind;
  format: ExportFormat;
  mode: number;
  since: Date;
  until: Date;
  filters: ExportFilters;
  attempts: number;
}

function jobOf(row: JobRow, nodeId: string): Job {
  return {
    workspaceId: idFromHex("ws", row.workspace_id),
    exportId: idFromHex("xpt", row.export_id),
    kind: row.kind,
    format: row.format,
    mode: MODES[row.mode] as Mode,
    sinceMs: row.since.getTime(),
    untilMs: row.until.getTime(),
    filters: row.filters,
    attempt: row.attempts,
    nodeId,
  };
}
