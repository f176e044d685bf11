import type { CauseAlertKind } from "../../domain/vocabulary/alert-kinds.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { NodeWord } from "./node-alert-writer.js";

export interface NodeAlerts {
  /** Begins to store this node's causes in PostgreSQL. */
  start(): void;
  close(): void;
}

export interface NodeAlertsOptions {
  nodeId: string;
  /** One check per kind: whether this node has the cause now. */
  causes: Readonly<Partial<Record<CauseAlertKind, () => boolean>>>;
  /** Stores `word`, this node's report on its own causes, in one transaction. The call is idempotent. */
  store(word: NodeWord): Promise<void>;
  /** Returns false while PostgreSQL is known to be unreachable. */
  isReachable(): boolean;
  /** Unix milliseconds. */
  now(): number;
  onError(error: unknown): void;
}

/**
 * ALRT-14: stores in PostgreSQL which causes of platform alerts this node has. It stores them on every change, and at
 * intervals. A failed store is repeated each second, with the causes at that time.
 */
export function createNodeAlerts(options: NodeAlertsOptions): NodeAlerts {
  const { nodeId, causes, store, isReachable, now, onError } = options;
  const kinds = Object.keys(causes) as CauseAlertKind[];
  const heldSinceMs = new Map<CauseAlertKind, number>();
  /** True at the start, because the previous process may have ended while it had a cause. */
  let due = true;
  let storing = false;
  let failing = false;

  const compareCauses = (): void => {
    for (const kind of kinds) {
      const holds = causes[kind]?.() === true;
      if (holds === heldSinceMs.has(kind)) continue;
      due = true;
      if (holds) heldSinceMs.set(kind, now());
      else heldSinceMs.delete(kind);
    }
  };

  const storeCauses = async (): Promise<void> => {
    storing = true;
    due = false;
    try {
      await store({ nodeId, kinds, heldSinceMs: new Map(heldSinceMs), atMs: now() });
      failing = false;
    } catch (error) {
      due = true;
      if (!failing) onError(error);
      failing = true;
    } finally {
      storing = false;
    }
  };

  const timers: NodeJS.Timeout[] = [];
  return {
    start() {
      const checkTimer = setInterval(() => {
        compareCauses();
        if (due && !storing && isReachable()) void storeCauses();
      }, TUNING.alertRetryMs);
      const confirmTimer = setInterval(() => (due = true), TUNING.alertConfirmIntervalMs);
      timers.push(checkTimer.unref(), confirmTimer.unref());
    },
    close: () => timers.forEach((timer) => clearInterval(timer)),
  };
}
