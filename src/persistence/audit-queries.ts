import type { ClientBase } from "pg";
import { idToHex } from "../shared/ids.js";

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
  | "workspace.created"
  | "workspace.suspended"
  | "workspace.activated"
  | "api_key.created"
  | "api_key.revoked"
  | "team.invited"
  | "team.joined"
  | "team.role_changed"
  | "team.removed";

/** spec "Audit trail": "recorded with actor, action, resource and metadata"; the time is the id's. */
export interface AuditEntry extends AuditAuthor {
  workspaceId: string;
  action: AuditAction;
  /** The id of what was changed. */
  resource: string;
  /** Ids, enums and versions only. */
  metadata: Readonly<Record<string, string | null>>;
}

/** In the transaction of the change itself: neither is there without the other. */
export async function insertAuditEntry(client: ClientBase, entry: AuditEntry): Promise<void> {
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
