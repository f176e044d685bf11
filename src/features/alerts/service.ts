import type { Pool } from "pg";
import { isId } from "../../domain/ids/ids.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import type { BoundedWork } from "../../platform/postgres/bounded-work.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import type { Principal } from "../../path/access/session.js";
import {
  acknowledgeAlert,
  acknowledgePlatformAlert,
  listAlerts,
  listPlatformAlerts,
  type Alert,
} from "./queries.js";

export interface AlertsOptions {
  /** The connections for the platform's alerts, which no tenant sees. */
  pool: Pool;
  tenants: TenantDb;
  attempt: BoundedWork;
  /** The 26 characters of a new id. */
  nextId(): string;
}

/** Lists and acknowledges alerts as a workspace sees them. alert-sync.ts opens and closes them. */
export function createAlerts({ pool, tenants, attempt, nextId }: AlertsOptions) {
  return {
    list: ({ workspaceId, isPlatformAdmin }: Principal, mode: Mode): Promise<Alert[] | "unavailable"> =>
      attempt(async () => {
        const own = await listAlerts(tenants.of(workspaceId), workspaceId, mode);
        if (!isPlatformAdmin) return own;
        const platform = await listPlatformAlerts(pool, workspaceId);
        return [...own, ...platform].toSorted((a, b) => (a.alertId < b.alertId ? 1 : -1));
      }),

    /** Returns null for an id that is unknown, malformed or another workspace's. */
    async acknowledge(
      { workspaceId, userId, isPlatformAdmin }: Principal,
      alertId: string,
    ): Promise<Alert | null | "unavailable"> {
      if (!isId(alertId, "alr")) return null;
      const author = { auditId: `aud_${nextId()}`, actor: userId };
      return attempt(async () => {
        const own = await acknowledgeAlert(tenants.of(workspaceId), workspaceId, alertId, author);
        if (own !== null || !isPlatformAdmin) return own;
        return acknowledgePlatformAlert(pool, workspaceId, alertId, author);
      });
    },
  };
}

export type Alerts = ReturnType<typeof createAlerts>;
