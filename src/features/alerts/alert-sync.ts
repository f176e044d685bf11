import { alertEffect } from "../../domain/health/monitor/alert.js";
import type { AlertBatch, AlertScope, HeldAlert } from "./alert-writer.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { HealthChange } from "../../path/prober/messages.js";
import type { OutcomeAlertChange } from "../../domain/health/monitor/outcome-alert.js";
import { ALERT_KIND_ROWS } from "../../domain/vocabulary/alert-kinds.js";

export interface AlertSync {
  /** Takes what the prober reported. `restarted`: everything it reported earlier no longer holds. */
  note(changes: readonly HealthChange[], restarted: boolean): void;
  /** Takes the alerts that outcomes opened and closed. */
  noteAlerts(changes: readonly OutcomeAlertChange[]): void;
  /** From this call on, what was noted is stored and kept up to date. */
  start(storage: AlertStorage): void;
  close(): void;
}

export interface AlertStorage {
  /** Stores the batch in one transaction. The call is idempotent. */
  store(batch: AlertBatch): Promise<void>;
  /** Returns false while PostgreSQL is known to be unreachable. */
  isReachable(): boolean;
}

export interface AlertSyncOptions {
  /** Unix milliseconds. */
  now(): number;
  onError(error: unknown): void;
}

/**
 * Keeps the alerts in PostgreSQL in step with what this node's prober sees. It stores the difference between two
 * states, not a queue of changes. A failed store is repeated with the state of that later moment. An outage therefore
 * neither loses an alert that still holds nor fills the memory.
 */
export function createAlertSync({ now, onError }: AlertSyncOptions): AlertSync {
  const held = new Map<string, HeldAlert>();
  /** The alerts that changed since the last store. `atMs` is when a closed one closed. */
  let changed = new Map<string, AlertScope & { atMs: number }>();
  /** True after a prober started: every open alert in PostgreSQL that is not in `held` must be closed. */
  let closesUnlisted = false;
  let confirmDue = false;
  let storage: AlertStorage | null = null;
  let storing = false;
  let retry: NodeJS.Timeout | null = null;
  let failing = false;

  const takeBatch = (): AlertBatch => {
    const batch: AlertBatch = { closesUnlisted, confirm: confirmDue, open: [], closed: [] };
    for (const [key, scope] of changed) {
      const alert = held.get(key);
      if (alert !== undefined) batch.open.push(alert);
      else batch.closed.push(scope);
    }
    if (closesUnlisted || confirmDue) {
      for (const [key, alert] of held) {
        if (!changed.has(key) && (closesUnlisted || alert.owner !== null)) batch.open.push(alert);
      }
    }
    return batch;
  };

  const storeOnce = async ({ store, isReachable }: AlertStorage): Promise<void> => {
    const batch = takeBatch();
    const before = changed;
    changed = new Map();
    closesUnlisted = false;
    confirmDue = false;
    try {
      if (!isReachable()) throw new Error("PostgreSQL is away");
      await store(batch);
      failing = false;
    } catch (error) {
      for (const [key, scope] of before) if (!changed.has(key)) changed.set(key, scope);
      closesUnlisted ||= batch.closesUnlisted;
      confirmDue ||= batch.confirm;
      // The error is reported once, because the store is tried again every second.
      if (!failing) onError(error);
      failing = true;
      throw error;
    }
  };

  const run = async (): Promise<void> => {
    const opened = storage;
    if (opened === null || storing || retry !== null) return;
    storing = true;
    try {
      while (closesUnlisted || confirmDue || changed.size > 0) await storeOnce(opened);
    } catch {
      retry = setTimeout(() => {
        retry = null;
        void run();
      }, TUNING.alertRetryMs).unref();
    } finally {
      storing = false;
    }
  };

  const noteState = ({ owner, provider, segmentKey, state, reasonCodes }: HealthChange): void => {
    const effect = alertEffect(state, reasonCodes, owner !== null);
    if (effect === "keep") return;
    const scope: AlertScope = {
      kind: owner === null ? "provider_health" : "workspace_health",
      owner,
      segmentKey,
    };
    const reasonCode = reasonCodes[0] ?? "HEALTH_DEGRADED";
    hold(scope, effect === "close" ? null : { provider, severity: effect, reasonCode, evidence: null });
  };

  const noteAlert = ({ workspaceId, mode, kind, provider, segmentKey, open }: OutcomeAlertChange): void => {
    const { reasonCode } = ALERT_KIND_ROWS[kind];
    const scope: AlertScope = { kind, owner: { workspaceId, mode }, segmentKey };
    hold(scope, open === null ? null : { provider, reasonCode, ...open });
  };

  const hold = (scope: AlertScope, open: Omit<HeldAlert, keyof AlertScope | "openedAtMs"> | null): void => {
    const { kind, owner, segmentKey } = scope;
    const key = `${kind}:${owner?.mode ?? ""}:${owner?.workspaceId ?? ""}:${segmentKey}`;
    const known = held.get(key);
    if (open === null && known === undefined) return;
    const atMs = now();
    if (open === null) held.delete(key);
    else held.set(key, { ...scope, ...open, openedAtMs: known?.openedAtMs ?? atMs });
    changed.set(key, { ...scope, atMs });
    if (changed.size > TUNING.alertChangesMax) {
      changed.clear();
      closesUnlisted = true;
    }
  };

  const confirming = setInterval(() => {
    confirmDue = true;
    void run();
  }, TUNING.alertConfirmIntervalMs).unref();

  return {
    note(changes, restarted) {
      if (restarted) {
        held.clear();
        changed.clear();
        closesUnlisted = true;
      }
      changes.forEach(noteState);
      void run();
    },
    noteAlerts(changes) {
      changes.forEach(noteAlert);
      void run();
    },
    start(opened) {
      storage = opened;
      void run();
    },
    close() {
      storage = null;
      clearInterval(confirming);
      if (retry !== null) clearTimeout(retry);
    },
  };
}
