import type { Pool } from "pg";
import { acknowledgeAlertRoute, alertsRoute } from "../features/alerts/routes.js";
import { analyticsSummaryRoute } from "../features/analytics/routes.js";
import { auditLogRoute } from "../features/audit/routes.js";
import { createMerchantRoute, merchantsRoute } from "../features/workspaces/routes/merchants.js";
import { providerOverrideRoute } from "../features/overrides/routes.js";
import { usageRoute } from "../features/usage/routes.js";
import { updateWorkspaceRoute, workspaceRoute } from "../features/workspaces/routes/workspace.js";
import type { Route } from "../path/front/route.js";
import { createAlerts } from "../features/alerts/service.js";
import { createAuditLog } from "../features/audit/service.js";
import { createOverrides } from "../features/overrides/service.js";
import { createWorkspaces } from "../features/workspaces/service.js";
import type { KeptLimits } from "../domain/vocabulary/kept-limits.js";
import type { ApplyChangesNow } from "../path/changes/change-queries.js";
import { createBoundedWork, type BoundedWorkOptions } from "../platform/postgres/bounded-work.js";
import type { TenantDb } from "../platform/postgres/tenant-db.js";
import type { ReadLog } from "../platform/postgres/database-read.js";
import type { AnalyticsRead } from "../features/analytics/service.js";
import type { UsageRead } from "../features/usage/service.js";

export interface AdminRoutesOptions extends BoundedWorkOptions {
  /** For what is the platform admin's. */
  pool: Pool;
  tenants: TenantDb;
  /** The 26 characters of a new id. */
  nextId(): string;
  applyChangesNow: ApplyChangesNow;
  read: ReadLog<AnalyticsRead | UsageRead>;
  providers: readonly string[];
  kept: KeptLimits;
  /** RISK_BLOCK_THRESHOLD */
  riskBlockThreshold: number;
  /** Unix milliseconds. */
  now(): number;
}

/** What a workspace's people administer and look at with a dashboard session. */
export function adminRoutes(options: AdminRoutesOptions): Route[] {
  const { read, providers, now } = options;
  const parts = { ...options, attempt: createBoundedWork(options) };
  const workspaces = createWorkspaces(parts);
  const alerts = createAlerts(parts);
  return [
    workspaceRoute(workspaces.find, options),
    updateWorkspaceRoute(workspaces.update, options),
    merchantsRoute(workspaces.merchants),
    createMerchantRoute(workspaces.registerMerchant),
    auditLogRoute(createAuditLog(parts).list),
    usageRoute(read, now),
    providerOverrideRoute(providers, createOverrides(parts).change),
    alertsRoute(alerts.list),
    acknowledgeAlertRoute(alerts.acknowledge),
    analyticsSummaryRoute(read),
  ];
}
