import type { Workspace } from "./queries/workspace.js";
import { keptDays } from "../../domain/vocabulary/tuning/retention.js";
import type { WorkspaceBody } from "./wire/workspace-response-schema.js";

/** The defaults for settings that a workspace has not set. */
export interface WorkspaceDefaults {
  /** The RISK_BLOCK_THRESHOLD setting. */
  riskBlockThreshold: number;
  /** The RETENTION_DAYS setting. */
  retentionDays: number;
}

/** The body of GET /v1/admin/workspace. The threshold and the limit are the effective ones (ADM-2, RET-3). */
export function workspaceBody(
  workspace: Workspace,
  { riskBlockThreshold, retentionDays }: WorkspaceDefaults,
): WorkspaceBody {
  const own = workspace.riskBlockThreshold;
  const kept = keptDays(retentionDays, workspace.retentionDays);
  return {
    id: workspace.workspaceId,
    name: workspace.name,
    status: workspace.status,
    default_decision_mode: workspace.defaultDecisionMode,
    risk_block_threshold: own ?? riskBlockThreshold,
    risk_block_threshold_source: own === null ? "default" : "workspace",
    retention_days: kept,
    retention_days_source: kept !== null && kept === workspace.retentionDays ? "workspace" : "default",
    require_one_time_codes: workspace.requiresOneTimeCodes,
    created_at: workspace.createdAt.toISOString(),
  };
}
