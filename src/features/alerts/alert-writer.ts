import type { ClientBase, Pool } from "pg";
import { idToHex } from "../../domain/ids/ids.js";
import type { AlertEvidence } from "../../domain/health/monitor/outcome-alert.js";
import { ALERT_KIND_ROWS, ALERT_KINDS, type AlertKind } from "../../domain/vocabulary/alert-kinds.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import {
  ALERT_SEVERITIES,
  MODES,
  type AlertSeverity,
  type Mode,
} from "../../domain/vocabulary/vocabulary.js";
import { EVERYBODY } from "./alert-workspaces.js";
import { refusalKind } from "../../platform/postgres/refusal-kind.js";
import { inTransaction } from "../../platform/postgres/transaction.js";

/** ALRT-12: at most one alert is open for each scope. */
export interface AlertScope {
  kind: AlertKind;
  /** Null means that the alert is in everybody's view. */
  owner: { workspaceId: string; mode: Mode } | null;
  segmentKey: string;
}

/** An alert that is open because its cause still holds. */
export interface HeldAlert extends AlertScope {
  /** Null for an alert about an issuer. */
  provider: string | null;
  severity: AlertSeverity;
  reasonCode: string;
  /** Null for an alert about a health state. */
  evidence: AlertEvidence | null;
  /** Unix milliseconds. */
  openedAtMs: number;
}

export interface AlertBatch {
  /**
   * True: alerts about provider health in everybody's view are closed if they are not in `open`. A single workspace's
   * alerts stay open, because this node may report them again later.
   */
  closesUnlisted: boolean;
  /** True: an alert of a single workspace's view is closed when no node has confirmed it for a while. */
  confirm: boolean;
  open: HeldAlert[];
  closed: (AlertScope & { atMs: number })[];
}

/** ALRT-12: each key has at most one open alert. */
const KEY = "workspace_id, mode, segment_key, kind";
const KEY_ARRAYS = "$1::uuid[], $2::smallint[], $3::text[], $4::smallint[]";
const SAME_KEY =
  "(a.workspace_id, a.segment_key, a.kind) = (k.workspace_id, k.segment_key, k.kind) and a.mode is not distinct from k.mode";
const PROVIDER_HEALTH = ALERT_KIND_ROWS.provider_health.code;
/** The codes of the kinds that single workspaces see and that health or outcomes open. */
const CONFIRMED = ALERT_KINDS.map((kind) => ALERT_KIND_ROWS[kind]).flatMap(({ opensBy, shownTo, code }) =>
  opensBy !== "cause" && (shownTo as readonly string[]).includes("workspace") ? [code] : [],
);

/**
 * Brings the stored alerts in line with what a node sees, in one transaction. All nodes see the same, so the first node
 * opens an alert for all of them, and the first node closes it for all. `nextId` returns the 26 characters of a new id.
 * `onSkipped` is called for each alert whose content PostgreSQL refuses.
 */
export async function storeAlerts(
  pool: Pool,
  batch: AlertBatch,
  nextId: () => string,
  onSkipped: (error: unknown) => void = () => undefined,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    if (batch.closesUnlisted) {
      await client.query(
        `update alerts a set closed_at = greatest(opened_at, now())
         where closed_at is null and a.workspace_id = '${EVERYBODY}' and a.kind = ${PROVIDER_HEALTH} and not exists (
           select from unnest(${KEY_ARRAYS}) as k(${KEY}) where ${SAME_KEY})`,
        keyArrays(batch.open),
      );
    }
    if (batch.closed.length > 0) {
      await client.query(
        `update alerts a set closed_at = greatest(opened_at, to_timestamp(k.at_ms / 1000.0))
         from unnest(${KEY_ARRAYS}, $5::bigint[]) as k(${KEY}, at_ms)
         where closed_at is null and ${SAME_KEY}`,
        [...keyArrays(batch.closed), batch.closed.map(({ atMs }) => atMs)],
      );
    }
    if (batch.open.length > 0) {
      const { stored, refusals } = await openEach(client, batch.open, nextId);
      // If no alert was stored, an unclear error, such as a missing permission, is not the fault of any one alert.
      const unclear = refusals.find((error) => refusalKind(error) === "unclear");
      if (stored === 0 && unclear !== undefined) throw unclear;
      refusals.forEach(onSkipped);
    }
    if (batch.confirm) {
      await client.query(
        `update alerts set closed_at = greatest(opened_at, confirmed_at)
         where closed_at is null and kind = any($1::smallint[]) and confirmed_at < now() - $2 * interval '1 millisecond'`,
        [CONFIRMED, TUNING.alertUnconfirmedMsMax],
      );
    }
  });
}

/**
 * Splits the alerts in halves while PostgreSQL refuses them, so that one refused alert does not keep out the others.
 */
async function openEach(
  client: ClientBase,
  alerts: readonly HeldAlert[],
  nextId: () => string,
): Promise<{ stored: number; refusals: unknown[] }> {
  await client.query("savepoint opened");
  try {
    await open(client, alerts, nextId);
    await client.query("release savepoint opened");
    return { stored: alerts.length, refusals: [] };
  } catch (error) {
    if (refusalKind(error) === "server") throw error;
    await client.query("rollback to savepoint opened; release savepoint opened");
    if (alerts.length === 1) return { stored: 0, refusals: [error] };
  }
  const half = Math.ceil(alerts.length / 2);
  const first = await openEach(client, alerts.slice(0, half), nextId);
  const second = await openEach(client, alerts.slice(half), nextId);
  return { stored: first.stored + second.stored, refusals: [...first.refusals, ...second.refusals] };
}

async function open(client: ClientBase, alerts: readonly HeldAlert[], nextId: () => string): Promise<void> {
  await client.query(
    `insert into alerts as a (${KEY}, alert_id, provider, severity, reason_code, evidence, opened_at, confirmed_at)
     select ${KEY}, alert_id, provider, severity, reason_code, evidence, to_timestamp(opened_at_ms / 1000.0), now()
     from unnest(${KEY_ARRAYS}, $5::uuid[], $6::text[], $7::smallint[], $8::text[], $9::bigint[], $10::jsonb[])
       as k(${KEY}, alert_id, provider, severity, reason_code, opened_at_ms, evidence)
     where not is_erased(workspace_id, null)
     on conflict (${KEY}) where closed_at is null do update set
       severity = greatest(a.severity, excluded.severity),
       reason_code = case when excluded.severity > a.severity then excluded.reason_code else a.reason_code end,
       evidence = case when excluded.severity > a.severity then excluded.evidence else a.evidence end,
       confirmed_at = now()`,
    [
      ...keyArrays(alerts),
      alerts.map(() => idToHex(`alr_${nextId()}`)),
      alerts.map(({ provider }) => provider),
      alerts.map(({ severity }) => ALERT_SEVERITIES.indexOf(severity)),
      alerts.map(({ reasonCode }) => reasonCode),
      alerts.map(({ openedAtMs }) => openedAtMs),
      alerts.map(({ evidence }) => (evidence === null ? null : JSON.stringify(evidence))),
    ],
  );
}

function keyArrays(scopes: readonly AlertScope[]): [string[], (number | null)[], string[], number[]] {
  return [
    scopes.map(({ owner }) => (owner === null ? EVERYBODY : idToHex(owner.workspaceId))),
    scopes.map(({ owner }) => (owner === null ? null : MODES.indexOf(owner.mode))),
    scopes.map(({ segmentKey }) => segmentKey),
    scopes.map(({ kind }) => ALERT_KIND_ROWS[kind].code),
  ];
}
