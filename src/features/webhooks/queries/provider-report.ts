import type {
  ProviderReports,
  ReportedIncident,
  ReportedLag,
} from "../../../domain/health/provider-report.js";
import { idFromHex } from "../../../domain/ids/ids.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import { INCIDENT_SEVERITIES, type IncidentSeverity } from "../../../domain/vocabulary/vocabulary.js";
import type { Queryable } from "../../../platform/postgres/pool.js";

interface LagRow {
  workspace_id: string;
  provider: string;
  seconds: number;
  newest: Date;
}

interface IncidentRow {
  workspace_id: string;
  provider: string;
  severity: number;
  payment_method: string | null;
  currency: string | null;
  received_at: Date;
}

/**
 * HLTH-5: `webhook_lag_seconds` of a workspace and provider: the median time from a webhook's `created_at` to its
 * receipt within the window. One late delivery among many therefore hardly changes it.
 */
const LAGS = {
  name: "load_webhook_lags",
  text: `select * from (
           select workspace_id, provider, max(received_at) as newest,
             round(percentile_cont(0.5) within group (
               order by greatest(0, extract(epoch from received_at - occurred_at)::float8)))::float8 as seconds
           from (
             select workspace_id, provider, received_at, occurred_at from webhook_events
             where received_at > $1 order by received_at desc limit ${TUNING.webhookLagEventsMax}
           ) recent group by workspace_id, provider
         ) lags where seconds >= ${TUNING.webhookLagSecondsMin} order by workspace_id, provider`,
};

const INCIDENTS = {
  name: "load_open_incidents",
  text: `select workspace_id, provider, severity, payment_method, currency, received_at from provider_incidents
         where is_open and received_at > $1
         order by received_at desc, workspace_id, provider, incident_id limit ${TUNING.incidentsShownMax}`,
};

/** Loads the reports of providers about themselves, by workspace. `nowMs` is in Unix milliseconds. */
export async function loadProviderReports(
  db: Queryable,
  nowMs: number,
): Promise<(ProviderReports & { workspaceId: string })[]> {
  const byWorkspace = new Map<string, { lags: ReportedLag[]; incidents: ReportedIncident[] }>();
  const reportsOf = (hex: string): { lags: ReportedLag[]; incidents: ReportedIncident[] } => {
    const known = byWorkspace.get(hex) ?? { lags: [], incidents: [] };
    byWorkspace.set(hex, known);
    return known;
  };
  const lags = await db.query<LagRow>({ ...LAGS, values: [new Date(nowMs - TUNING.webhookLagWindowMs)] });
  for (const { workspace_id, provider, seconds, newest } of lags.rows) {
    reportsOf(workspace_id).lags.push({
      provider,
      seconds,
      untilMs: newest.getTime() + TUNING.webhookLagWindowMs,
    });
  }
  const incidents = await db.query<IncidentRow>({
    ...INCIDENTS,
    values: [new Date(nowMs - LIMITS.incidentLifeMs)],
  });
  for (const row of incidents.rows) {
    reportsOf(row.workspace_id).incidents.push({
      provider: row.provider,
      severity: INCIDENT_SEVERITIES[row.severity] as IncidentSeverity,
      paymentMethod: row.payment_method,
      currency: row.currency,
      untilMs: row.received_at.getTime() + LIMITS.incidentLifeMs,
    });
  }
  return Array.from(byWorkspace, ([hex, reports]) => ({ workspaceId: idFromHex("ws", hex), ...reports }));
}

/**
 * Deletes webhooks that no sender delivers again and incidents that have expired, a bounded number per call. The newest
 * webhook of each route stays, because GET /v1/integrations shows its time. Resolves to the number of deleted rows.
 * Fees, and the prices fitted to them, are stored separately.
 */
export async function dropOldWebhooks(db: Queryable, nowMs: number): Promise<number> {
  const events = await db.query(
    `delete from webhook_events e
     where (workspace_id, merchant_id, provider, webhook_id) in (
       select workspace_id, merchant_id, provider, webhook_id from webhook_events old
       where received_at < $1 and exists (
         select from webhook_events later
         where later.workspace_id = old.workspace_id and later.merchant_id = old.merchant_id
           and later.provider = old.provider and later.received_at > old.received_at)
       order by received_at limit ${TUNING.webhookSweepRowsMax})`,
    [new Date(nowMs - LIMITS.webhookEventsKeptMs)],
  );
  const incidents = await db.query(
    `delete from provider_incidents where (workspace_id, merchant_id, provider, incident_id) in (
       select workspace_id, merchant_id, provider, incident_id from provider_incidents
       where received_at < $1 order by received_at limit ${TUNING.webhookSweepRowsMax})`,
    [new Date(nowMs - LIMITS.incidentLifeMs)],
  );
  return (events.rowCount ?? 0) + (incidents.rowCount ?? 0);
}
