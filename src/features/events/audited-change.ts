import type { Principal } from "../../path/access/session.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";
import { insertAuditEntry, type AuditAction, type AuditEntry } from "../audit/service.js";

/** EVT-5: notes a change of an endpoint in the transaction of that change. `newId` is the 26 characters of a new id. */
export function noteChange(
  client: TenantConnection,
  newId: string,
  by: Principal,
  action: AuditAction,
  endpointId: string,
  metadata: AuditEntry["metadata"],
): Promise<void> {
  return insertAuditEntry(client, {
    auditId: `aud_${newId}`,
    actor: by.userId,
    workspaceId: by.workspaceId,
    action,
    resource: endpointId,
    metadata,
  });
}
