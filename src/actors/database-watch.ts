import type { Pool } from "pg";
import { monotonicMs } from "../shared/clock.js";

export interface DatabaseWatch {
  reachable(): boolean;
  /** Calls back whenever PostgreSQL is found to be away. */
  onAway(listener: () => void): void;
  /** Milliseconds since PostgreSQL came back; infinite where it has not been away. */
  backForMs(): number;
  close(): void;
}

const CHECK_INTERVAL_MS = 500;
const CHECK_TIMEOUT_MS = 1500;

/**
 * Asks PostgreSQL for a sign of life, so that /ready and reads know at once that it is away, also when it is frozen
 * rather than gone: an unanswered question counts as an answer after 1.5 s.
 */
export function watchDatabase(pool: Pool, onChange: (reachable: boolean) => void): DatabaseWatch {
  let isReachable = true;
  let backAtMs = Number.NEGATIVE_INFINITY;
  let asking = false;
  const awayListeners: (() => void)[] = [];
  const settle = (answer: boolean): void => {
    if (answer === isReachable) return;
    isReachable = answer;
    if (answer) backAtMs = monotonicMs();
    onChange(answer);
    if (!answer) for (const listener of awayListeners) listener();
  };
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    const overdue = setTimeout(() => settle(false), CHECK_TIMEOUT_MS);
    try {
      await pool.query("select 1");
      clearTimeout(overdue);
      settle(true);
    } catch {
      settle(false);
    } finally {
      clearTimeout(overdue);
      asking = false;
    }
  };
  const timer = setInterval(() => void ask(), CHECK_INTERVAL_MS);
  return {
    reachable: () => isReachable,
    onAway: (listener) => void awayListeners.push(listener),
    backForMs: () => monotonicMs() - backAtMs,
    close: () => clearInterval(timer),
  };
}
