import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import type { AnyConnection, TenantConnection } from "../../platform/postgres/tenant-db.js";

/** Who did something, and the id that its entry gets. */
export interface AuditAuthor {
  /** `aud_…`; new for every entry. */
  auditId: string;
  /** `key_…` or `usr_…` */
  actor: string;
}

export type AuditAction =
  | "policy.created"
  | "policy.published"
  | "policy.rolled_back"
  | "workspace.updated"
  | "merchant.created"
  | "provider_override.set"
  | "provider_override.lifted"
  | "alert.acknowledged"
  | "workspace.created"
  | "workspace.suspended"
  | "workspace.activated"
  | "api_key.created"
  | "api_key.revoked"
  | "team.invited"
  | "team.joined"
  | "team.role_changed"
  | "team.removed"
  | "pricing_contract.uploaded"
  | "webhook_secret.set"
  | "webhook_secret.rotated";

/** ADM-4; the time is the id's. */
export interface AuditEntry extends AuditAuthor {
  workspaceId: string;
  action: AuditAction;
  /** The id of what was changed. */
  resource: string;
  /** Ids, enums, numbers and versions only. */
  metadata: Readonly<Record<string, string | number | null>>;
}

/** In the transaction of the change itself: neither is there without the other. */
export async function insertAuditEntry(client: AnyConnection, entry: AuditEntry): Promise<void> {
  await client.query(
    `insert into audit_log (workspace_id, audit_id, actor, action, resource, metadata) values ($1, $2, $3, $4, $5, $6)`,
    [
      idToHex(entry.workspaceId),
      idToHex(entry.auditId),
      entry.actor,
      entry.action,
      entry.resource,
      JSON.stringify(entry.metadata),
    ],
  );
}

/** An entry as it is read back; its time is its id's. */
export interface StoredAuditEntry {
  /** `aud_…` */
  auditId: string;
  actor: string;
  action: string;
  resource: string;
  metadata: AuditEntry["metadata"];
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
  metadata: AuditEntry["metadata"];
}
