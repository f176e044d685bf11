import { alertEffect } from "../../domain/health/monitor/alert.js";
import type { AlertBatch, AlertScope } from "./alert-writer.js";
import { HeldAlerts } from "./held-alerts.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { HealthChange } from "../../path/prober/messages.js";
import type { OutcomeAlertChange } from "../../domain/health/monitor/outcome-alert.js";
import { ALERT_KIND_ROWS } from "../../domain/vocabulary/alert-kinds.js";

export interface AlertSync {
  /**
   * Records the prober's changes. `restarted` means that a new prober reports, and that all earlier reports are void.
   */
  note(changes: readonly HealthChange[], restarted: boolean): void;
  /** Records the alerts that outcomes opened and closed. */
  noteAlerts(changes: readonly OutcomeAlertChange[]): void;
  /** From this call on, the recorded alerts are stored and kept up to date. */
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
 * Keeps the alerts in PostgreSQL equal to the view of this node's prober. It stores the latest state of each changed
 * alert, not a queue of changes. If PostgreSQL refuses, the next attempt stores the state at that time. An outage
 * therefore loses no active alert and fills no memory.
 */
export function createAlertSync({ now, onError }: AlertSyncOptions): AlertSync {
  const held = new HeldAlerts(now);
  let storage: AlertStorage | null = null;
  let storing = false;
  let retry: NodeJS.Timeout | null = null;
  let failing = false;

  const storeOnce = async ({ store, isReachable }: AlertStorage): Promise<void> => {
    const { batch, putBack } = held.take();
    try {
      if (!isReachable()) throw new Error("PostgreSQL is away");
      await store(batch);
      failing = false;
    } catch (error) {
      putBack();
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
      while (held.hasNews) await storeOnce(opened);
    } catch {
      retry = setTimeout(() => {
        retry = null;
        void run();
      }, TUNING.alertRetryMs).unref();
    } finally {
      storing = false;
    }
  };

  const confirming = setInterval(() => {
    held.confirm();
    void run();
  }, TUNING.alertConfirmIntervalMs).unref();

  return {
    note(changes, restarted) {
      if (restarted) held.forget();
      for (const change of changes) noteState(held, change);
      void run();
    },
    noteAlerts(changes) {
      for (const change of changes) noteAlert(held, change);
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

function noteState(
  held: HeldAlerts,
  { owner, provider, segmentKey, state, reasonCodes }: HealthChange,
): void {
  const effect = alertEffect(state, reasonCodes, owner !== null);
  if (effect === "keep") return;
  const scope: AlertScope = {
    kind: owner === null ? "provider_health" : "workspace_health",
    owner,
    segmentKey,
  };
  const reasonCode = reasonCodes[0] ?? "HEALTH_DEGRADED";
  held.set(scope, effect === "close" ? null : { provider, severity: effect, reasonCode, evidence: null });
}

function noteAlert(held: HeldAlerts, change: OutcomeAlertChange): void {
  const { workspaceId, mode, kind, provider, segmentKey, open } = change;
  const { reasonCode } = ALERT_KIND_ROWS[kind];
  const scope: AlertScope = { kind, owner: { workspaceId, mode }, segmentKey };
  held.set(scope, open === null ? null : { provider, reasonCode, ...open });
}
