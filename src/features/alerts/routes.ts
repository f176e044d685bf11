import type { AcknowledgedAlertBody, AlertBody, AlertListBody } from "./wire.js";
import type { AlertEvidence } from "../../domain/health/monitor/outcome-alert.js";
import { roundTo6 } from "../../domain/vocabulary/rounding.js";
import { modeParameter } from "../../platform/wire/query-schema.js";
import { createAlerts, type Alerts, type AlertsOptions } from "./service.js";
import type { Alert } from "./queries.js";
import { ROLES } from "../../domain/vocabulary/vocabulary.js";
import { ADMINISTRATION_UNAVAILABLE } from "../../platform/http/api-error.js";
import { Query } from "../../platform/http/query.js";
import type { Route, SessionRoute } from "../../path/front/route.js";

/** The routes by which a workspace's members see alerts. */
export function alertRoutes(parts: AlertsOptions): Route[] {
  const alerts = createAlerts(parts);
  return [alertsRoute(alerts.list), acknowledgeAlertRoute(alerts.acknowledge)];
}

/**
 * GET /v1/alerts, newest first. It shows everybody's alerts, and the workspace's own alerts that have this `mode` or no
 * mode. A platform admin also sees the platform's alerts.
 */
function alertsRoute(list: Alerts["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/alerts",
    access: { roles: ROLES },
    bodyBytesMax: null,
    query: ["mode"],
    async handle(exchange, principal) {
      const query = new Query(exchange.head.query);
      const mode = query.oneOf("mode", modeParameter) ?? "live";
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const alerts = await list(principal, mode);
      if (alerts === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      exchange.send(200, JSON.stringify({ alerts: alerts.map(toRow) } satisfies AlertListBody));
    },
  };
}

/** POST /v1/alerts/:alertId/acknowledge: 200 `{alert}`, for this workspace. The first acknowledgement stays. */
function acknowledgeAlertRoute(acknowledge: Alerts["acknowledge"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/alerts/:alertId/acknowledge",
    access: { roles: ["owner", "admin", "analyst"] },
    bodyBytesMax: null,
    async handle(exchange, principal, [alertId = ""]) {
      const alert = await acknowledge(principal, alertId);
      if (alert === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (alert === null) return exchange.fail({ kind: "not_found", message: "Alert not found" });
      exchange.send(200, JSON.stringify({ alert: toRow(alert) } satisfies AcknowledgedAlertBody));
    },
  };
}

function toEvidence(evidence: AlertEvidence): NonNullable<AlertBody["evidence"]> {
  const { fromMs, toMs, outcomes, approved, failed, rate, bound, usual } = evidence;
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    outcomes,
    approved,
    failed,
    rate: roundTo6(rate),
    bound: roundTo6(bound),
    baseline: usual === null ? null : roundTo6(usual),
  };
}

function toRow(alert: Alert): AlertBody {
  return {
    alert_id: alert.alertId,
    kind: alert.kind,
    severity: alert.severity,
    provider: alert.provider,
    segment_key: alert.segmentKey,
    reason_code: alert.reasonCode,
    evidence: alert.evidence === null ? null : toEvidence(alert.evidence),
    opened_at: alert.openedAt.toISOString(),
    closed_at: alert.closedAt?.toISOString() ?? null,
    acknowledged_by: alert.acknowledgedBy,
  };
}
