import { alertEffect } from "../../domain/health/monitor/alert.js";
import type { AlertBatch, AlertScope, HeldAlert } from "./alert-writer.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { HealthChange } from "../../path/prober/messages.js";

export interface AlertSync {
  /** Takes what the prober reported. `restarted`: everything it reported earlier no longer holds. */
  note(changes: readonly HealthChange[], restarted: boolean): void;
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

  const noteOne = ({ owner, provider, segmentKey, state, reasonCodes }: HealthChange): void => {
    const effect = alertEffect(state, reasonCodes, owner !== null);
    if (effect === "keep") return;
    const key = owner === null ? segmentKey : `${owner.mode}:${owner.workspaceId}:${segmentKey}`;
    const known = held.get(key);
    if (effect === "close" && known === undefined) return;
    const atMs = now();
    if (effect === "close") held.delete(key);
    else {
      held.set(key, {
        owner,
        provider,
        segmentKey,
        severity: effect,
        reasonCode: reasonCodes[0] ?? "HEALTH_DEGRADED",
        openedAtMs: known?.openedAtMs ?? atMs,
      });
    }
    changed.set(key, { owner, segmentKey, atMs });
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
      changes.forEach(noteOne);
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
