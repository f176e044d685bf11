import type { Pool } from "pg";
import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import {
  ALERT_SEVERITIES,
  MODES,
  type AlertKind,
  type AlertSeverity,
  type Mode,
} from "../../domain/vocabulary/vocabulary.js";
import { EVERYBODY } from "./alert-writer.js";
import { insertAuditEntry, type AuditAuthor } from "../audit/service.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import type { Queryable } from "../../platform/postgres/pool.js";
import type { AnyConnection, Tenant, TenantConnection } from "../../platform/postgres/tenant-db.js";

/** The workspace of alerts that are the platform admin's; migrations/0022_set_aside_resolved.sql opens and closes them. */
const PLATFORM = "f".repeat(32);

/** An alert as a workspace sees it. */
export interface Alert {
  /** `alr_…` */
  alertId: string;
  kind: AlertKind;
  severity: AlertSeverity;
  /** Null where it is about no provider. */
  provider: string | null;
  segmentKey: string | null;
  reasonCode: string;
  openedAt: Date;
  closedAt: Date | null;
  /** `usr_…`: who of this workspace was first. */
  acknowledgedBy: string | null;
}

const COLUMNS =
  "a.workspace_id, a.alert_id, a.severity, a.provider, a.segment_key, a.reason_code, a.opened_at, a.closed_at";
const WITH_ACKNOWLEDGEMENT =
  "left join alert_acknowledgements k on k.workspace_id = $1 and k.alert_id = a.alert_id";

/**
 * Newest first: all that are open, and the newest of those that are closed; the workspace's own of one mode or of both,
 * and everybody's.
 */
export async function listAlerts(db: TenantConnection, workspaceId: string, mode: Mode): Promise<Alert[]> {
  const closed = (owner: string): string =>
    `(select ${COLUMNS} from alerts a where ${owner} and closed_at is not null order by alert_id desc limit $4)`;
  const { rows } = await db.query<AlertRow>(
    `select ${COLUMNS}, k.acknowledged_by from (
       (select ${COLUMNS} from alerts a
        where closed_at is null and (workspace_id = '${EVERYBODY}' or (workspace_id = $1 and (mode = $2 or mode is null)))
        order by alert_id desc limit $3)
       union all ${closed(`workspace_id = '${EVERYBODY}'`)}
       union all ${closed("workspace_id = $1 and (mode = $2 or mode is null)")}
     ) a ${WITH_ACKNOWLEDGEMENT}
     order by a.alert_id desc`,
    [idToHex(workspaceId), MODES.indexOf(mode), LIMITS.openAlertsListedMax, LIMITS.closedAlertsListedMax],
  );
  return rows.map(alertOf);
}

/** The platform's, in the same order, with what the admin's own workspace has acknowledged. */
export async function listPlatformAlerts(db: Queryable, workspaceId: string): Promise<Alert[]> {
  const { rows } = await db.query<AlertRow>(
    `select ${COLUMNS}, k.acknowledged_by from (
       select ${COLUMNS} from alerts a where workspace_id = '${PLATFORM}' order by alert_id desc limit $2
     ) a ${WITH_ACKNOWLEDGEMENT}
     order by a.alert_id desc`,
    [idToHex(workspaceId), LIMITS.closedAlertsListedMax],
  );
  return rows.map(alertOf);
}

/** Acknowledged once per workspace: the first one stays. Null where the workspace sees no such alert. */
export function acknowledgeAlert(
  tenant: Tenant,
  workspaceId: string,
  alertId: string,
  author: AuditAuthor,
): Promise<Alert | null> {
  return tenant.transaction((client) =>
    acknowledge(client, { workspaceId, alertId, author, seen: EVERYBODY }),
  );
}

/** The same for an alert of the platform's. */
export function acknowledgePlatformAlert(
  pool: Pool,
  workspaceId: string,
  alertId: string,
  author: AuditAuthor,
): Promise<Alert | null> {
  return inTransaction(pool, (client) =>
    acknowledge(client, { workspaceId, alertId, author, seen: PLATFORM }),
  );
}

/** `seen`: whose alerts the workspace sees beside its own. */
async function acknowledge(
  client: AnyConnection,
  of: { workspaceId: string; alertId: string; author: AuditAuthor; seen: string },
): Promise<Alert | null> {
  const { workspaceId, alertId, author, seen } = of;
  const key = [idToHex(workspaceId), idToHex(alertId)];
  const { rowCount } = await client.query(
    `insert into alert_acknowledgements (workspace_id, alert_id, acknowledged_by)
     select $1, alert_id, $3 from alerts where workspace_id in ($1, '${seen}') and alert_id = $2
     on conflict do nothing`,
    [...key, idToHex(author.actor)],
  );
  const { rows } = await client.query<AlertRow>(
    `select ${COLUMNS}, k.acknowledged_by from alerts a ${WITH_ACKNOWLEDGEMENT}
     where a.workspace_id in ($1, '${seen}') and a.alert_id = $2`,
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
  workspace_id: string;
  alert_id: string;
  severity: number;
  provider: string | null;
  segment_key: string | null;
  reason_code: string;
  opened_at: Date;
  closed_at: Date | null;
  acknowledged_by: string | null;
}

function kindOf({ workspace_id, provider }: AlertRow): AlertKind {
  if (provider === null) return "set_aside";
  return workspace_id.replaceAll("-", "") === EVERYBODY ? "provider_health" : "workspace_health";
}

function alertOf(row: AlertRow): Alert {
  return {
    alertId: idFromHex("alr", row.alert_id),
    kind: kindOf(row),
    severity: ALERT_SEVERITIES[row.severity] as AlertSeverity,
    provider: row.provider,
    segmentKey: row.segment_key,
    reasonCode: row.reason_code,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    acknowledgedBy: row.acknowledged_by === null ? null : idFromHex("usr", row.acknowledged_by),
  };
}
