import { acknowledgeAlertRoute, alertsRoute } from "../features/alerts/routes.js";
import { analyticsSummaryRoute } from "../features/analytics/routes.js";
import { auditLogRoute } from "../features/audit/routes.js";
import { createMerchantRoute, merchantsRoute } from "../features/workspaces/routes/merchants.js";
import { providerOverrideRoute } from "../features/overrides/routes.js";
import { usageRoute } from "../features/usage/routes.js";
import { updateWorkspaceRoute, workspaceRoute } from "../features/workspaces/routes/workspace.js";
import type { Route } from "../path/front/route.js";
import { createAdministration, type AdministrationOptions } from "../features/workspaces/administration.js";
import type { ReadLog } from "../features/decisions/read-log.js";
import type { AnalyticsRead } from "../features/analytics/analytics-summary.js";
import type { UsageRead } from "../features/usage/usage-report.js";

export interface AdminRoutesOptions extends AdministrationOptions {
  read: ReadLog<AnalyticsRead | UsageRead>;
  providers: readonly string[];
  /** RISK_BLOCK_THRESHOLD */
  riskBlockThreshold: number;
  /** Unix milliseconds. */
  now(): number;
}

/** What a workspace's people administer and look at with a dashboard session. */
export function adminRoutes(options: AdminRoutesOptions): Route[] {
  const { read, providers, now } = options;
  const administration = createAdministration(options);
  return [
    workspaceRoute(administration.workspace, options),
    updateWorkspaceRoute(administration.updateWorkspace, options),
    merchantsRoute(administration.merchants),
    createMerchantRoute(administration.registerMerchant),
    auditLogRoute(administration.auditLog),
    usageRoute(read, now),
    providerOverrideRoute(providers, administration.changeOverride),
    alertsRoute(administration.alerts),
    acknowledgeAlertRoute(administration.acknowledgeAlert),
    analyticsSummaryRoute(read),
  ];
}
