import type { ListedRows, ListPage } from "../../platform/postgres/list-page.js";
import { isLimitReached, type KeptLimits, type LimitReached } from "../../domain/vocabulary/kept-limits.js";
import type { ApplyChangesNow } from "../../path/changes/change-queries.js";
import type { BoundedWork } from "../../platform/postgres/bounded-work.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import type { Administrator } from "../audit/service.js";
import { listMerchants, registerMerchant, type Merchant } from "./queries/merchant.js";
import {
  findWorkspace,
  updateWorkspace,
  type WorkspaceSettings,
  type Workspace,
} from "./queries/workspace.js";

/** These exports are for other features. */
export { workspaceBody, type WorkspaceDefaults } from "./workspace-response.js";
export {
  workspaceOf,
  type Workspace,
  type WorkspaceRow,
  insertWorkspace,
  WORKSPACE_COLUMNS,
  lockWorkspace,
} from "./queries/workspace.js";
export { insertMerchant, hasMerchant } from "./queries/merchant.js";

export interface WorkspacesOptions {
  tenants: TenantDb;
  attempt: BoundedWork;
  /** The 26 characters of a new id. */
  nextId(): string;
  applyChangesNow: ApplyChangesNow;
  kept: KeptLimits;
  /** Whether a person signs in with one-time codes. */
  hasCodes(userId: string): Promise<boolean>;
}

type Answer<T> = Promise<T | "unavailable">;

/**
 * Changes a workspace's own settings and its merchants. Each change has an audit entry and is in force on this node
 * once it is answered.
 */
export function createWorkspaces({
  tenants,
  attempt,
  nextId,
  applyChangesNow,
  kept,
  hasCodes,
}: WorkspacesOptions) {
  const author = ({ actor }: Administrator) => ({ auditId: `aud_${nextId()}`, actor });
  return {
    find: (workspaceId: string): Answer<Workspace | null> =>
      attempt(() => findWorkspace(tenants.of(workspaceId), workspaceId)),

    async update(by: Administrator, settings: WorkspaceSettings): Answer<Workspace | "without_codes" | null> {
      const { workspaceId } = by;
      const updated = await attempt(async () => {
        // ACC-35: the person who sets the requirement must meet it.
        if (settings.requiresOneTimeCodes === true && !(await hasCodes(by.actor))) return "without_codes";
        return updateWorkspace(tenants.of(workspaceId), workspaceId, settings, author(by));
      });
      // The change is stored even if this node fails to copy it now. The change feed then copies it.
      if (updated !== null && typeof updated !== "string")
        await attempt(() => applyChangesNow([{ kind: "workspace", workspaceId, key: "" }]));
      return updated;
    },

    merchants: (workspaceId: string, page: ListPage): Answer<ListedRows<Merchant>> =>
      attempt(() => listMerchants(tenants.of(workspaceId), workspaceId, page)),

    /** Returns null when the workspace already has the merchant. */
    async registerMerchant(
      by: Administrator,
      merchant: { merchantId: string; name?: string },
    ): Answer<Merchant | LimitReached | "erased" | null> {
      const { workspaceId } = by;
      const registered = await attempt(() =>
        registerMerchant(tenants.of(workspaceId), { workspaceId, ...merchant }, author(by), kept),
      );
      if (registered !== null && typeof registered !== "string" && !isLimitReached(registered))
        await attempt(() => applyChangesNow([{ kind: "merchant", workspaceId, key: merchant.merchantId }]));
      return registered;
    },
  };
}

export type Workspaces = ReturnType<typeof createWorkspaces>;
