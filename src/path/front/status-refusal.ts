import type { WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";
import { WORKSPACE_ARRIVING, type ApiError } from "../../platform/http/api-error.js";

/** Why a workspace that is not active is refused. */
export function refusalOfStatus(status: Exclude<WorkspaceStatus, "active">): ApiError {
  return status === "arriving" ? WORKSPACE_ARRIVING : { kind: "inactive_tenant" };
}
