import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

/** Ids, enums, numbers and versions only. */
export type AuditMetadata = Readonly<Record<string, string | number | null>>;

/** An entry as it is read back; its time is its id's. */
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
  /** Next to an entry, which is not on it; null begins at the newest. */
  cursor: { kind: "older_than" | "newer_than"; id: string } | null;
}

/**
 * One page, newest first, and whether there are more in the direction walked. Next to an entry that the workspace does not
 * have there is nothing (LIST-3).
 */
export async function listAuditEntries(
  db: TenantConnection,
  workspaceId: string,
  { pageSize, cursor }: AuditPage,
): Promise<{ entries: StoredAuditEntry[]; hasMore: boolean }> {
  const newer = cursor?.kind === "newer_than";
  const { rows } = await db.query<AuditRow>(
    `select audit_id, actor, action, resource, metadata from audit_log
     where workspace_id = $1
       and ($2::uuid is null or (
         audit_id ${newer ? ">" : "<"} $2
         and exists (select from audit_log where workspace_id = $1 and audit_id = $2)
       ))
     order by audit_id ${newer ? "asc" : "desc"} limit $3`,
    [idToHex(workspaceId), cursor === null ? null : idToHex(cursor.id), pageSize + 1],
  );
  const entries = rows.slice(0, pageSize).map((row) => ({
    auditId: idFromHex("aud", row.audit_id),
    actor: row.actor,
    action: row.action,
    resource: row.resource,
    metadata: row.metadata,
  }));
  return { entries: newer ? entries.toReversed() : entries, hasMore: rows.length > pageSize };
}

interface AuditRow {
  audit_id: string;
  actor: string;
  action: string;
  resource: string;
  metadata: AuditMetadata;
}
