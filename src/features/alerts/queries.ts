import type { Pool } from "pg";
import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import {
  ALERT_KINDS,
  alertKindRow,
  type AlertAudience,
  type AlertKind,
} from "../../domain/vocabulary/alert-kinds.js";
import type { AlertEvidence } from "../../domain/health/monitor/outcome-alert.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import {
  ALERT_SEVERITIES,
  MODES,
  type AlertSeverity,
  type Mode,
} from "../../domain/vocabulary/vocabulary.js";
import { shownTo } from "./alert-workspaces.js";
import { insertAuditEntry, type AuditAuthor } from "../audit/service.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import type { Queryable } from "../../platform/postgres/pool.js";
import type { AnyConnection, Tenant, TenantConnection } from "../../platform/postgres/tenant-db.js";

/** An alert as a workspace sees it. */
export interface Alert {
  /** `alr_…` */
  alertId: string;
  kind: AlertKind;
  severity: AlertSeverity;
  /** Null when the alert's kind has no provider. */
  provider: string | null;
  segmentKey: string | null;
  reasonCode: string;
  /** Null for kinds that no outcomes open. */
  evidence: AlertEvidence | null;
  openedAt: Date;
  closedAt: Date | null;
  /** `usr_…`: the first member of this workspace who acknowledged the alert. */
  acknowledgedBy: string | null;
}

const COLUMNS =
  "a.kind, a.alert_id, a.severity, a.provider, a.segment_key, a.reason_code, a.evidence, a.opened_at, a.closed_at";
const WITH_ACKNOWLEDGEMENT =
  "left join alert_acknowledgements k on k.workspace_id = $1 and k.alert_id = a.alert_id";

/** Lists the alerts that a workspace sees: everybody's alerts, and its own alerts that have this `mode` or no mode. */
export function listAlerts(db: TenantConnection, workspaceId: string, mode: Mode): Promise<Alert[]> {
  const own = `${shownTo("workspace")} and (mode = $4 or mode is null)`;
  return list(db, workspaceId, [shownTo("everybody"), own], [MODES.indexOf(mode)]);
}

/** Lists the platform's alerts, with the acknowledgements of the platform admin's own workspace. */
export function listPlatformAlerts(db: Queryable, workspaceId: string): Promise<Alert[]> {
  return list(db, workspaceId, [shownTo("platform_admin")], []);
}

/**
 * ALRT-13: newest first. `sets` are SQL conditions that select the alerts. `values` are their parameters, from `$4` on.
 */
async function list(
  db: AnyConnection,
  workspaceId: string,
  sets: readonly string[],
  values: readonly number[],
): Promise<Alert[]> {
  const newest = (which: string, limit: string): string =>
    `(select ${COLUMNS} from alerts a where ${which} order by alert_id desc limit ${limit})`;
  const open = newest(`closed_at is null and (${sets.map((set) => `(${set})`).join(" or ")})`, "$2");
  const closed = sets.map((set) => newest(`closed_at is not null and ${set}`, "$3"));
  const { rows } = await db.query<AlertRow>(
    `select ${COLUMNS}, k.acknowledged_by from (
       ${[open, ...closed].join(" union all ")}
     ) a ${WITH_ACKNOWLEDGEMENT}
     order by a.alert_id desc`,
    [idToHex(workspaceId), LIMITS.openAlertsListedMax, LIMITS.closedAlertsListedMax, ...values],
  );
  return rows.map(alertOf);
}

/**
 * Acknowledges an alert for the workspace. The first acknowledgement stays. Returns null when the workspace sees no
 * such alert.
 */
export function acknowledgeAlert(
  tenant: Tenant,
  workspaceId: string,
  alertId: string,
  author: AuditAuthor,
): Promise<Alert | null> {
  return tenant.transaction((client) =>
    acknowledge(client, { workspaceId, alertId, author, otherAudience: "everybody" }),
  );
}

/** Acknowledges one of the platform's alerts, as `acknowledgeAlert` does for a workspace's. */
export function acknowledgePlatformAlert(
  pool: Pool,
  workspaceId: string,
  alertId: string,
  author: AuditAuthor,
): Promise<Alert | null> {
  return inTransaction(pool, (client) =>
    acknowledge(client, { workspaceId, alertId, author, otherAudience: "platform_admin" }),
  );
}

/** `otherAudience`: the audience whose alerts the workspace sees besides its own. */
async function acknowledge(
  client: AnyConnection,
  request: { workspaceId: string; alertId: string; author: AuditAuthor; otherAudience: AlertAudience },
): Promise<Alert | null> {
  const { workspaceId, alertId, author, otherAudience } = request;
  const isVisible = `(${shownTo("workspace")} or ${shownTo(otherAudience)})`;
  const key = [idToHex(workspaceId), idToHex(alertId)];
  const { rowCount } = await client.query(
    `insert into alert_acknowledgements (workspace_id, alert_id, acknowledged_by)
     select $1, alert_id, $3 from alerts where ${isVisible} and alert_id = $2
     on conflict do nothing`,
    [...key, idToHex(author.actor)],
  );
  const { rows } = await client.query<AlertRow>(
    `select ${COLUMNS}, k.acknowledged_by from (
       select ${COLUMNS} from alerts a where ${isVisible} and alert_id = $2
     ) a ${WITH_ACKNOWLEDGEMENT}`,
    key,
  );
  if (rows[0] === undefined) return null;
  const alert = alertOf(rows[0]);
  if (rowCount === 1) {
    await insertAuditEntry(client, {
      ...author,
      workspaceId,
      action: "alert.acknowledged",
      resource: alertId,
      metadata: { segment_key: alert.segmentKey, reason_code: alert.reasonCode },
    });
  }
  return alert;
}

interface AlertRow {
  kind: number;
  alert_id: string;
  severity: number;
  provider: string | null;
  segment_key: string | null;
  reason_code: string;
  evidence: AlertEvidence | null;
  opened_at: Date;
  closed_at: Date | null;
  acknowledged_by: string | null;
}

const KIND_OF_CODE = new Map(ALERT_KINDS.map((kind) => [alertKindRow(kind).code, kind]));

function alertOf(row: AlertRow): Alert {
  return {
    alertId: idFromHex("alr", row.alert_id),
    // The queries select only kinds that this version knows.
    kind: KIND_OF_CODE.get(row.kind) as AlertKind,
    severity: ALERT_SEVERITIES[row.severity] as AlertSeverity,
    provider: row.provider,
    segmentKey: row.segment_key,
    reasonCode: row.reason_code,
    evidence: row.evidence,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    acknowledgedBy: row.acknowledged_by === null ? null : idFromHex("usr", row.acknowledged_by),
  };
}
