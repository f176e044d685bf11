import type { Pool } from "pg";

export interface DatabaseWatch {
  reachable(): boolean;
  close(): void;
}

const CHECK_INTERVAL_MS = 500;

/**
 * Sends PostgreSQL a query every 500 ms, so that /ready and reads know early that PostgreSQL is away, even if it is
 * frozen. A query fails if it is unanswered for `timeoutMs`. Only one query is open at a time.
 *
 * | State \ event | answer | error | `timeoutMs` pass without an answer |
 * |---|---|---|---|
 * | reachable (at the start) | reachable | unreachable, `onChange(false)` | unreachable, `onChange(false)` |
 * | unreachable | reachable, `onChange(true)` | unreachable | unreachable |
 */
export function watchDatabase(
  pool: Pool,
  timeoutMs: number,
  onChange: (reachable: boolean) => void,
): DatabaseWatch {
  let isReachable = true;
  let asking = false;
  const settle = (answer: boolean): void => {
    if (answer === isReachable) return;
    isReachable = answer;
    onChange(answer);
  };
  const check = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    const overdue = setTimeout(() => settle(false), timeoutMs);
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
  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS);
  return {
    reachable: () => isReachable,
    close: () => clearInterval(timer),
  };
}
