import type { TenantBody } from "./wire.js";
import type { Workspace } from "../workspaces/service.js";

/** ADM-7: one workspace in the answers of /v1/admin/workspaces. */
export function tenantBody({ workspaceId, name, status, createdAt }: Workspace): TenantBody {
  return { id: workspaceId, name, status, created_at: createdAt.toISOString() };
}
