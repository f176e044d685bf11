import { acknowledgeAlertRoute, alertsRoute } from "../http/routes/alerts.js";
import { analyticsSummaryRoute } from "../http/routes/analytics-summary.js";
import { auditLogRoute } from "../http/routes/audit-log.js";
import { createMerchantRoute, merchantsRoute } from "../http/routes/merchants.js";
import { providerOverrideRoute } from "../http/routes/provider-override.js";
import { usageRoute } from "../http/routes/usage.js";
import { updateWorkspaceRoute, workspaceRoute } from "../http/routes/workspace.js";
import type { Route } from "../http/route.js";
import { createAdministration, type AdministrationOptions } from "../persistence/administration.js";
import type { ReadLog } from "../read/read-log.js";

export interface AdminRoutesOptions extends AdministrationOptions {
  read: ReadLog;
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
