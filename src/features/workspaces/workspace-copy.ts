import type { Workspace } from "./queries/workspace.js";
import type { RecordKey } from "../../path/changes/copied-records.js";
import {
  WORKSPACE_PREFIX,
  workspaceKey,
  type Replica,
  type ReplicaWorkspace,
} from "../../path/replica/replica.js";
import type { WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";
import { heldUnder, workspacesOf, type RecordCopy } from "../../path/changes/record-copy.js";

export interface WorkspaceCopyOptions {
  /** Loads the given workspaces that exist. */
  load(workspaceIds: readonly string[]): Promise<Workspace[]>;
  stored: RecordCopy["stored"];
  replica: Pick<Replica, "refresh" | "read" | "keysAfter" | "putCatalog">;
  /**
   * Called when these workspaces were suspended, activated or deleted. Resolves once their keys are admitted or refused
   * accordingly.
   */
  statusChanged(workspaceIds: readonly string[]): Promise<void>;
}

/** Copies workspaces and applies their status to their keys. */
export function copyWorkspaces(options: WorkspaceCopyOptions): RecordCopy {
  const { load, replica, statusChanged } = options;
  const statusHeld = (workspaceId: string): WorkspaceStatus | null => {
    const text = replica.read(workspaceKey(workspaceId));
    return text === undefined ? null : (JSON.parse(text) as ReplicaWorkspace).status;
  };
  return {
    async copy(records: readonly RecordKey[]) {
      const workspaceIds = workspacesOf(records);
      const found = new Map(
        (await load(workspaceIds)).map((workspace) => [workspace.workspaceId, workspace]),
      );
      replica.refresh();
      // A key's own copy says that its workspace is active, so a new workspace needs no change.
      const changed = workspaceIds.filter(
        (workspaceId) => (statusHeld(workspaceId) ?? "active") !== (found.get(workspaceId)?.status ?? null),
      );
      // The keys change before the copy is stored. A process that ends in between finds the difference again.
      if (changed.length > 0) await statusChanged(changed);
      return replica.putCatalog(
        workspaceIds.map((workspaceId) => {
          const workspace = found.get(workspaceId);
          return {
            key: workspaceKey(workspaceId),
            value: workspace === undefined ? null : toCopy(workspace),
          };
        }),
      );
    },
    stored: options.stored,
    held: (after, limit) => heldUnder(replica, WORKSPACE_PREFIX, after, limit),
  };
}

function toCopy(workspace: Workspace): ReplicaWorkspace {
  return {
    status: workspace.status,
    default_decision_mode: workspace.defaultDecisionMode,
    risk_block_threshold: workspace.riskBlockThreshold,
    retention_days: workspace.retentionDays,
  };
}
