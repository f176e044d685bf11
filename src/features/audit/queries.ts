import { idFloorHex, idFromHex, idToHex } from "../../domain/ids/ids.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

/** Metadata holds only ids, enums, numbers and versions. */
export type AuditMetadata = Readonly<Record<string, string | number | null>>;

/** An audit entry as it is read back. Its id carries its time. */
export interface StoredAuditEntry {
  /** `aud_…` */
  auditId: string;
  actor: string;
  action: string;
  resource: string;
  metadata: AuditMetadata;
}

export interface AuditPage {
  pageSize: number;
  /** The entry next to which the page is; it is not on the page itself. Null begins at the newest entry. */
  cursor: { kind: "older_than" | "newer_than"; id: string } | null;
  /** Null: of all merchants, and of none. */
  merchantId: string | null;
}

/**
 * Returns one page, newest first, and whether there are more entries in the direction walked. The page is empty when
 * the workspace has no entry with the cursor's id (LIST-3).
 */
export async function listAuditEntries(
  db: TenantConnection,
  workspaceId: string,
  { pageSize, cursor, merchantId }: AuditPage,
): Promise<{ entries: StoredAuditEntry[]; hasMore: boolean }> {
  const newer = cursor?.kind === "newer_than";
  const { rows } = await db.query<AuditRow>(
    `select audit_id, actor, action, resource, metadata from audit_log
     where workspace_id = $1${merchantId === null ? "" : " and merchant_id = $4"}
       and ($2::uuid is null or (
         audit_id ${newer ? ">" : "<"} $2
         and exists (select from audit_log where workspace_id = $1 and audit_id = $2)
       ))
     order by audit_id ${newer ? "asc" : "desc"} limit $3`,
    [
      idToHex(workspaceId),
      cursor === null ? null : idToHex(cursor.id),
      pageSize + 1,
      ...(merchantId === null ? [] : [merchantId]),
    ],
  );
  const entries = rows.slice(0, pageSize).map(entryOf);
  return { entries: newer ? entries.toReversed() : entries, hasMore: rows.length > pageSize };
}

/**
 * Returns up to `limit` entries of an interval, newest first: those older than the entry `before`, where one is named.
 * Both times are Unix milliseconds; `untilMs` is excluded.
 */
export async function listAuditEntriesWithin(
  db: TenantConnection,
  workspaceId: string,
  {
    sinceMs,
    untilMs,
    before,
    limit,
  }: { sinceMs: number; untilMs: number; before: string | null; limit: number },
): Promise<StoredAuditEntry[]> {
  const { rows } = await db.query<AuditRow>(
    `select audit_id, actor, action, resource, metadata from audit_log
     where workspace_id = $1 and audit_id >= $2 and audit_id < $3
     order by audit_id desc limit $4`,
    [
      idToHex(workspaceId),
      idFloorHex(sinceMs),
      before === null ? idFloorHex(untilMs) : idToHex(before),
      limit,
    ],
  );
  return rows.map(entryOf);
}

function entryOf(row: AuditRow): StoredAuditEntry {
  return {
    auditId: idFromHex("aud", row.audit_id),
    actor: row.actor,
    action: row.action,
    resource: row.resource,
    metadata: row.metadata,
  };
}

interface AuditRow {
  audit_id: string;
  actor: string;
  action: string;
  resource: string;
  metadata: AuditMetadata;
}
