import { isId } from "../../domain/ids/ids.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import type { BoundedWork } from "../../platform/postgres/bounded-work.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import type { Administrator } from "../audit/service.js";
import { acknowledgeAlert, listAlerts, type Alert } from "./queries.js";

export interface AlertsOptions {
  tenants: TenantDb;
  attempt: BoundedWork;
  /** The 26 characters of a new id. */
  nextId(): string;
}

/** Alerts as a workspace sees them; alert-sync.ts opens and closes them. */
export function createAlerts({ tenants, attempt, nextId }: AlertsOptions) {
  return {
    list: (workspaceId: string, mode: Mode): Promise<Alert[] | "unavailable"> =>
      attempt(() => listAlerts(tenants.of(workspaceId), workspaceId, mode)),

    /** Null for an id that is unknown, malformed or another workspace's. */
    async acknowledge(
      { workspaceId, actor }: Administrator,
      alertId: string,
    ): Promise<Alert | null | "unavailable"> {
      if (!isId(alertId, "alr")) return null;
      const author = { auditId: `aud_${nextId()}`, actor };
      return attempt(() => acknowledgeAlert(tenants.of(workspaceId), workspaceId, alertId, author));
    },
  };
}

export type Alerts = ReturnType<typeof createAlerts>;
