import { setTimeout as sleep } from "node:timers/promises";

/**
 * PostgreSQL answers with an error that does not go away, such as a wrong password or a failed migration. The message
 * is one line for the operator.
 */
export class DatabaseStartError extends Error {}

export interface DatabaseStartOptions<Prepared> {
  /** Prepares PostgreSQL for the service. Each attempt runs all of it, until one succeeds, so it must be idempotent. */
  prepare(): Promise<Prepared>;
  /** How long `settled` waits for a PostgreSQL that does not answer. */
  patienceMs: number;
  /** Aborted when the start is given up. `settled` then waits no longer. */
  stopping?: AbortSignal;
  onPrepared(): void;
  /** Called when an attempt has failed and another will follow. */
  onFailure(error: unknown): void;
}

export interface DatabaseStart<Prepared> {
  /**
   * Resolves when PostgreSQL is prepared or known to be away. If it is away, the attempts continue in the background.
   * Rejects with DatabaseStartError if PostgreSQL answers with an error that does not go away.
   */
  settled: Promise<void>;
  /** Resolves to the result of `prepare`. Never rejects. */
  prepared: Promise<Prepared>;
  /** Ends the attempts, without waiting for a running one. */
  close(): void;
}

const RETRY_DELAY_MS_MIN = 100;
const RETRY_DELAY_MS_MAX = 2000;

/**
 * DUR-4: a node starts without PostgreSQL, and decides from its replica until PostgreSQL is prepared.
 *
 * | State \ event | `prepare` succeeds | outage | other error | patience over | `close` |
 * |---|---|---|---|---|---|
 * | awaited: `settled` is open | prepared | in the background | `settled` rejects | in the background | closed |
 * | in the background: `settled` has resolved | prepared | in the background | in the background | – | closed |
 * | prepared | – | – | – | – | closed |
 */
export function startDatabase<Prepared>(options: DatabaseStartOptions<Prepared>): DatabaseStart<Prepared> {
  const closing = new AbortController();
  let resolvePrepared: (prepared: Prepared) => void = () => undefined;
  const prepared = new Promise<Prepared>((resolve) => {
    resolvePrepared = resolve;
  });
  let isWaitedFor = true;
  let stopWaiting: () => void = () => undefined;
  const waited = new Promise<void>((resolve) => {
    stopWaiting = () => {
      isWaitedFor = false;
      resolve();
    };
  });
  const patience = setTimeout(stopWaiting, options.patienceMs);

  const run = async (): Promise<void> => {
    for (let delayMs = RETRY_DELAY_MS_MIN; ; delayMs = Math.min(2 * delayMs, RETRY_DELAY_MS_MAX)) {
      try {
        const found = await options.prepare();
        if (closing.signal.aborted) return;
        resolvePrepared(found);
        return options.onPrepared();
      } catch (error) {
        if (closing.signal.aborted) return;
        // After `settled` the node answers requests from its replica, so no error may end it.
        if (isWaitedFor && !isOutage(error)) {
          throw new DatabaseStartError(
            `PostgreSQL cannot be used: ${error instanceof Error ? error.message : String(error)}`,
            {
              cause: error,
            },
          );
        }
        options.onFailure(error);
      }
      stopWaiting();
      await sleep(delayMs, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return;
    }
  };

  const close = (): void => {
    closing.abort();
    stopWaiting();
  };
  options.stopping?.addEventListener("abort", close, { once: true });

  return {
    settled: Promise.race([run(), waited]).finally(() => clearTimeout(patience)),
    prepared,
    close,
  };
}

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention, system error. */
const TRANSIENT_SQLSTATE = /^(08|53|57|58)/;
/** If a connection ends or does not answer, node-postgres gives no code, but one of these messages. */
const CONNECTION_LOST = /timeout|timed out|connection terminated|connection error|not queryable/i;

/** True if the error may go away. That includes all errors of the operating system (ECONNREFUSED, ENOENT, …). */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && (TRANSIENT_SQLSTATE.test(code) || /^E[A-Z]+/.test(code))) return true;
  if (error instanceof AggregateError && error.errors.some(isOutage)) return true;
  return CONNECTION_LOST.test(error.message) || isOutage(error.cause);
}
