import { isId } from "../../domain/ids/ids.js";
import type { LimitReached } from "../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Principal } from "../../path/access/session.js";
import type { BoundedWork } from "../../platform/postgres/bounded-work.js";
import type { TenantConnection, TenantDb } from "../../platform/postgres/tenant-db.js";
import { insertAuditEntry, type AuditAction } from "../audit/service.js";
import { lockWorkspace } from "../workspaces/service.js";
import {
  countSavedViews,
  deleteSavedView,
  insertSavedView,
  listSavedViews,
  lockSavedView,
  updateSavedView,
  type SavedView,
  type SavedViewContent,
  type SavedViewPage,
} from "./queries.js";

export interface SavedViewsOptions {
  tenants: TenantDb;
  attempt: BoundedWork;
  /** The 26 characters of a new id. */
  nextId(): string;
}

const FULL: LimitReached = {
  kind: "limit_reached",
  limit: LIMITS.savedViewsMax,
  what: "saved views per user",
};

/** ANA-10 to ANA-12: the saved views of dashboard pages. Each belongs to its owner. */
export function createSavedViews({ tenants, attempt, nextId }: SavedViewsOptions) {
  const note = (
    client: TenantConnection,
    by: Principal,
    action: AuditAction,
    { viewId, page, isShared }: SavedView,
  ): Promise<void> =>
    insertAuditEntry(client, {
      auditId: `aud_${nextId()}`,
      actor: by.userId,
      workspaceId: by.workspaceId,
      action,
      resource: viewId,
      metadata: { page, is_shared: String(isShared) },
    });

  /** Does `work` with a view that the person may change. Null if the person sees no view with this id. */
  const change = async <Result>(
    by: Principal,
    viewId: string,
    work: (client: TenantConnection, view: SavedView) => Promise<Result>,
  ): Promise<Result | null | "not_theirs" | "unavailable"> => {
    if (!isId(viewId, "svw")) return null;
    return attempt(() =>
      tenants.of(by.workspaceId).transaction(async (client) => {
        const view = await lockSavedView(client, by, viewId);
        if (view === null) return null;
        // ANA-12: a shared view also belongs to the workspace, so owners and admins may change it.
        const isLeader = by.role === "owner" || by.role === "admin";
        return view.owner === by.userId || isLeader ? work(client, view) : "not_theirs";
      }),
    );
  };

  return {
    list: (by: Principal, page: SavedViewPage) =>
      attempt(() => listSavedViews(tenants.of(by.workspaceId), by, page)),

    create: (by: Principal, content: SavedViewContent): Promise<SavedView | LimitReached | "unavailable"> =>
      attempt(() =>
        tenants.of(by.workspaceId).transaction(async (client) => {
          await lockWorkspace(client, by.workspaceId);
          if ((await countSavedViews(client, by)) >= LIMITS.savedViewsMax) return FULL;
          const view = await insertSavedView(client, by, `svw_${nextId()}`, content);
          await note(client, by, "saved_view.created", view);
          return view;
        }),
      ),

    update: (by: Principal, viewId: string, changes: Partial<SavedViewContent>) =>
      change(by, viewId, async (client, view) => {
        const changed = await updateSavedView(client, by.workspaceId, viewId, { ...view, ...changes });
        await note(client, by, "saved_view.updated", changed);
        return changed;
      }),

    remove: (by: Principal, viewId: string) =>
      change(by, viewId, async (client, view) => {
        await deleteSavedView(client, by.workspaceId, viewId);
        await note(client, by, "saved_view.deleted", view);
        return view;
      }),
  };
}
