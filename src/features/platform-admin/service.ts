import type { ListedRows, ListPage } from "../../platform/postgres/list-page.js";
import type { Pool } from "pg";
import { insertAuditEntry } from "../audit/service.js";
import type { Workspace } from "../workspaces/service.js";
import type { ApplyChangesNow } from "../../path/changes/change-queries.js";
import { listWorkspaces, releaseAddress, setWorkspaceStatus } from "./queries.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { isId } from "../../domain/ids/ids.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { Principal } from "../../path/access/session.js";

export interface PlatformOptions {
  pool: Pool;
  attempt: Attempt;
  nextId(): string;
  applyChangesNow: ApplyChangesNow;
}

const ACTIONS = {
  active: "workspace.activated",
  suspended: "workspace.suspended",
} as const;

/** ADM-7: the platform admin lists all workspaces, suspends them and activates them. */
export function createPlatform({ pool, attempt, nextId, applyChangesNow }: PlatformOptions) {
  return {
    list: (page: ListPage): Promise<ListedRows<Workspace> | "unavailable"> =>
      attempt(() => listWorkspaces(pool, page)),

    /**
     * Returns null for an unknown workspace. Returns `own` for the admin's own workspace, because an admin could not
     * undo its suspension.
     */
    async setStatus(
      by: Principal,
      workspaceId: string,
      status: keyof typeof ACTIONS,
    ): Promise<Workspace | null | "own" | "erased" | "moving" | "unavailable"> {
      if (!isId(workspaceId, "ws")) return null;
      if (workspaceId === by.workspaceId && status !== "active") return "own";
      const set = await attempt(() =>
        inTransaction(pool, async (client) => {
          const result = await setWorkspaceStatus(client, workspaceId, status);
          if (typeof result === "object" && result?.changed === true) {
            await insertAuditEntry(client, {
              auditId: `aud_${nextId()}`,
              actor: by.userId,
              workspaceId,
              action: ACTIONS[status],
              resource: workspaceId,
              metadata: {},
            });
          }
          return result;
        }),
      );
      if (set === null || typeof set === "string") return set;
      await attempt(() => applyChangesNow([{ kind: "workspace", workspaceId, key: "" }]));
      return set.workspace;
    },

    /** ADM-9: an audit entry goes to each of the account's workspaces and to the administrator's own. */
    releaseAccount(
      by: Principal,
      { email, reason }: { email: string; reason: string },
    ): Promise<"released" | "unknown" | "own" | "unavailable"> {
      return attempt(() =>
        inTransaction(pool, async (client) => {
          const released = await releaseAddress(client, email, `released-${nextId()}@released.invalid`);
          if (released === "own") return released;
          if (released === null) return "unknown";
          for (const workspaceId of new Set([...released.workspaceIds, by.workspaceId])) {
            await insertAuditEntry(client, {
              auditId: `aud_${nextId()}`,
              actor: by.userId,
              workspaceId,
              action: "account.released",
              resource: released.userId,
              metadata: { reason },
            });
          }
          return "released";
        }),
      );
    },
  };
}

export type Platform = ReturnType<typeof createPlatform>;
