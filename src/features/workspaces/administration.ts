import type { OverrideChange } from "../../domain/health/provider-override.js";
import { acknowledgeAlert, listAlerts, type Alert } from "../alerts/queries.js";
import { listAuditEntries, type AuditPage, type StoredAuditEntry } from "../audit/queries.js";
import { createBoundedWork, type BoundedWorkOptions } from "../../platform/postgres/bounded-work.js";
import type { Change, GoByNow } from "../../path/changes/change-queries.js";
import type { Merchant, Workspace } from "../../path/access/catalog-queries.js";
import { listMerchants, registerMerchant } from "./queries/merchant.js";
import { changeOverride, type StoredOverride } from "../overrides/queries.js";
import { findWorkspace, updateWorkspace, type WorkspaceSettings } from "./queries/workspace.js";
import { isId } from "../../domain/ids/ids.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

/** Whose workspace, and on whose behalf. */
export interface Administrator {
  workspaceId: string;
  /** `usr_…`, for the audit trail. */
  actor: string;
}

export interface AdministrationOptions extends BoundedWorkOptions {
  tenants: TenantDb;
  /** The 26 characters of a new id. */
  nextId(): string;
  goByNow: GoByNow;
}

type Answer<T> = Promise<T | "unavailable">;

/** What a dashboard's people administer; every change is on the record, and holds on this node once it is answered. */
export interface Administration {
  workspace(workspaceId: string): Answer<Workspace | null>;
  updateWorkspace(by: Administrator, settings: WorkspaceSettings): Answer<Workspace | null>;
  merchants(workspaceId: string): Answer<Merchant[]>;
  /** Null when the workspace has it already. */
  registerMerchant(
    by: Administrator,
    merchant: { merchantId: string; name?: string },
  ): Answer<Merchant | null>;
  auditLog(workspaceId: string, page: AuditPage): Answer<{ entries: StoredAuditEntry[]; hasMore: boolean }>;
  changeOverride(by: Administrator, change: OverrideChange): Answer<StoredOverride[]>;
  alerts(workspaceId: string, mode: Mode): Answer<Alert[]>;
  /** Null for one that is unknown, malformed or another workspace's. */
  acknowledgeAlert(by: Administrator, alertId: string): Answer<Alert | null>;
}

export function createAdministration(options: AdministrationOptions): Administration {
  const { tenants, nextId } = options;
  const within = createBoundedWork(options);
  const author = ({ actor }: Administrator) => ({ auditId: `aud_${nextId()}`, actor });

  /** The change is made whether or not this node has heard of it yet; the notification comes behind. */
  const after = async <T>(stored: T | "unavailable", changed: Change): Answer<T> => {
    if (stored !== null && stored !== "unavailable") await within(() => options.goByNow([changed]));
    return stored;
  };

  return {
    workspace: (workspaceId) => within(() => findWorkspace(tenants.of(workspaceId), workspaceId)),
    async updateWorkspace(by, settings) {
      const updated = await within(() =>
        updateWorkspace(tenants.of(by.workspaceId), by.workspaceId, settings, author(by)),
      );
      return after(updated, { kind: "workspace", workspaceId: by.workspaceId, key: "" });
    },
    merchants: (workspaceId) => within(() => listMerchants(tenants.of(workspaceId), workspaceId)),
    async registerMerchant(by, merchant) {
      const { workspaceId } = by;
      const registered = await within(() =>
        registerMerchant(tenants.of(workspaceId), { workspaceId, ...merchant }, author(by)),
      );
      return after(registered, { kind: "merchant", workspaceId, key: merchant.merchantId });
    },
    auditLog: (workspaceId, page) =>
      within(() => listAuditEntries(tenants.of(workspaceId), workspaceId, page)),
    async changeOverride(by, change) {
      const pinned = await within(() =>
        changeOverride(tenants.of(by.workspaceId), by.workspaceId, change, author(by)),
      );
      return after(pinned, { kind: "pin", workspaceId: by.workspaceId, key: change.provider });
    },
    alerts: (workspaceId, mode) => within(() => listAlerts(tenants.of(workspaceId), workspaceId, mode)),
    async acknowledgeAlert(by, alertId) {
      if (!isId(alertId, "alr")) return null;
      return within(() => acknowledgeAlert(tenants.of(by.workspaceId), by.workspaceId, alertId, author(by)));
    },
  };
}
