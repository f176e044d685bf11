import type { Logger } from "../telemetry/logger.js";

export interface OutboxWatchOptions {
  /** The plural name of the outbox's rows in the log, such as "letters". */
  of: string;
  /** Resolves to true if a row is due. */
  isDue(): Promise<boolean>;
  /** Called when a row is due. */
  onDue(): void;
  /** Deletes old rows, and counts the waiting ones. */
  sweep(): Promise<unknown>;
  /** False if PostgreSQL is known to be away. */
  isReachable(): boolean;
  lookIntervalMs: number;
  sweepIntervalMs: number;
  log: Pick<Logger, "warn">;
}

/**
 * Looks at an outbox in PostgreSQL at intervals. Looks never overlap. After a failure is logged, further failures are
 * not logged until a look or a sweep succeeds. The returned function stops the watch.
 */
export function watchOutbox(options: OutboxWatchOptions): () => void {
  const { of, isDue, onDue, sweep, isReachable, lookIntervalMs, sweepIntervalMs, log } = options;
  let isLooking = false;
  let isFailing = false;
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (!isReachable()) return;
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, `${of} cannot be looked for yet; trying again`);
      isFailing = true;
    }
  };
  const looking = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void run(async () => {
      if (await isDue()) onDue();
    }).finally(() => (isLooking = false));
  }, lookIntervalMs).unref();
  const sweeping = setInterval(() => void run(sweep), sweepIntervalMs).unref();
  return () => {
    clearInterval(looking);
    clearInterval(sweeping);
  };
}
