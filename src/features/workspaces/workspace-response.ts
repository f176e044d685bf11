import type { Workspace } from "./queries/workspace.js";
import type { WorkspaceBody } from "./wire/workspace-response-schema.js";

/** The values that hold when a workspace has set nothing. */
export interface WorkspaceDefaults {
  /** The RISK_BLOCK_THRESHOLD setting. */
  riskBlockThreshold: number;
}

/** The body of GET /v1/admin/workspace. Its threshold is the one in force (ADM-2). */
export function workspaceBody(
  workspace: Workspace,
  { riskBlockThreshold }: WorkspaceDefaults,
): WorkspaceBody {
  const own = workspace.riskBlockThreshold;
  return {
    id: workspace.workspaceId,
    name: workspace.name,
    status: workspace.status,
    default_decision_mode: workspace.defaultDecisionMode,
    risk_block_threshold: own ?? riskBlockThreshold,
    risk_block_threshold_source: own === null ? "default" : "workspace",
    created_at: workspace.createdAt.toISOString(),
  };
}
