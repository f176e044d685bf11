import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import {
  type ExportError,
  type ExportFormat,
  type ExportKind,
  type ExportStatus,
  MODES,
  type Mode,
} from "../../../domain/vocabulary/vocabulary.js";
import type { Cursor } from "../../../platform/http/page-query.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import type { ExportFilters } from "../wire/export-schema.js";

/** The request for an export. */
export interface ExportRequest {
  kind: ExportKind;
  format: ExportFormat;
  mode: Mode;
  /** Unix milliseconds, inclusive. */
  sinceMs: number;
  /** Unix milliseconds, exclusive. */
  untilMs: number;
  filters: ExportFilters;
}

export interface Export extends ExportRequest {
  /** `xpt_…` */
  exportId: string;
  /** `usr_…` */
  createdBy: string;
  status: ExportStatus;
  rows: number;
  totalRows: number | null;
  bytes: number;
  /** Hexadecimal. */
  sha256: string | null;
  error: ExportError | null;
  createdAt: Date;
  finishedAt: Date | null;
  expiresAt: Date | null;
}

export interface ExportPage {
  pageSize: number;
  /**
   * The row before or after which the page lies. The page does not include it. Null: the page begins at the newest row.
   */
  cursor: Cursor | null;
  /** The kinds that the reader may see. */
  kinds: readonly ExportKind[];
}

const COLUMNS = `export_id, created_by, kind, format, mode, since, until, filters, status, rows, total_rows, bytes,
  encode(sha256, 'hex') as sha256, error, created_at, finished_at, expires_at`;

/** The page is empty if the workspace has no such export with the cursor's id (LIST-3). */
export async function listExports(
  db: TenantConnection,
  workspaceId: string,
  { pageSize, cursor, kinds }: ExportPage,
): Promise<{ exports: Export[]; hasMore: boolean }> {
  const newer = cursor?.kind === "newer_than";
  const { rows } = await db.query<ExportRow>(
    `select ${COLUMNS} from exports
     where workspace_id = $1 and kind = any($4::text[])
       and ($2::uuid is null or (
         export_id ${newer ? ">" : "<"} $2
         and exists (select from exports where workspace_id = $1 and export_id = $2 and kind = any($4::text[]))
       ))
     order by export_id ${newer ? "asc" : "desc"} limit $3`,
    [idToHex(workspaceId), cursor === null ? null : idToHex(cursor.id), pageSize + 1, kinds],
  );
  const exports = rows.slice(0, pageSize).map(exportOf);
  return { exports: newer ? exports.toReversed() : exports, hasMore: rows.length > pageSize };
}

/** Returns null for an id that is unknown, of another workspace, or of a kind that the reader may not see. */
export async function findExport(
  db: TenantConnection,
  workspaceId: string,
  exportId: string,
  kinds: readonly ExportKind[],
): Promise<Export | null> {
  const { rows } = await db.query<ExportRow>(
    `select ${COLUMNS} from exports where workspace_id = $1 and export_id = $2 and kind = any($3::text[])`,
    [idToHex(workspaceId), idToHex(exportId), kinds],
  );
  return rows[0] === undefined ? null : exportOf(rows[0]);
}

/** EXP-4: counts a workspace's exports for its limits. */
export async function countExports(
  db: TenantConnection,
  workspaceId: string,
): Promise<{ kept: number; waiting: number }> {
  const { rows } = await db.query<{ kept: number; waiting: number }>(
    `select count(*)::int as kept, (count(*) filter (where status = 'queued'))::int as waiting
     from exports where workspace_id = $1 and status <> 'expired'`,
    [idToHex(workspaceId)],
  );
  return rows[0] ?? { kept: 0, waiting: 0 };
}

export async function insertExport(
  db: TenantConnection,
  workspaceId: string,
  { exportId, createdBy, ...request }: ExportRequest & Pick<Export, "exportId" | "createdBy">,
): Promise<Export> {
  const { rows } = await db.query<ExportRow>(
    `insert into exports (workspace_id, export_id, created_by, kind, format, mode, since, until, filters)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${COLUMNS}`,
    [
      idToHex(workspaceId),
      idToHex(exportId),
      idToHex(createdBy),
      request.kind,
      request.format,
      MODES.indexOf(request.mode),
      new Date(request.sinceMs),
      new Date(request.untilMs),
      JSON.stringify(request.filters),
    ],
  );
  return exportOf(rows[0] as ExportRow);
}

/** Deletes an export and its file. A node that is making the export stops. Returns false if there was none. */
export async function deleteExport(
  db: TenantConnection,
  workspaceId: string,
  exportId: string,
): Promise<boolean> {
  const { rowCount } = await db.query("delete from exports where workspace_id = $1 and export_id = $2", [
    idToHex(workspaceId),
    idToHex(exportId),
  ]);
  return rowCount === 1;
}

interface ExportRow {
  export_id: string;
  created_by: string;
  kind: ExportKind;
  format: ExportFormat;
  mode: number;
  since: Date;
  until: Date;
  filters: ExportFilters;
  status: ExportStatus;
  rows: string;
  total_rows: string | null;
  bytes: string;
  sha256: string | null;
  error: ExportError | null;
  created_at: Date;
  finished_at: Date | null;
  expires_at: Date | null;
}

function exportOf(row: ExportRow): Export {
  return {
    exportId: idFromHex("xpt", row.export_id),
    createdBy: idFromHex("usr", row.created_by),
    kind: row.kind,
    format: row.format,
    mode: MODES[row.mode] as Mode,
    sinceMs: row.since.getTime(),
    untilMs: row.until.getTime(),
    filters: row.filters,
    status: row.status,
    rows: Number(row.rows),
    totalRows: row.total_rows === null ? null : Number(row.total_rows),
    bytes: Number(row.bytes),
    sha256: row.sha256,
    error: row.error,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
  };
}
