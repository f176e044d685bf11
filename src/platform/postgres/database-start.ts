import { setTimeout as sleep } from "node:timers/promises";

/** PostgreSQL answers, and waiting would not help: a wrong password, a migration that fails. One line for the operator. */
export class DatabaseStartError extends Error {}

export interface DatabaseStartOptions {
  /** Brings PostgreSQL to where the service needs it. Idempotent: it is run from its beginning until it succeeds. */
  prepare(): Promise<void>;
  /** How long `settled` waits for a PostgreSQL that does not answer. */
  patienceMs: number;
  /** Aborted where the start is given up: `settled` then waits for nothing. */
  stopping?: AbortSignal;
  onPrepared(): void;
  /** An attempt failed and another one follows. */
  onFailure(error: unknown): void;
}

export interface DatabaseStart {
  /**
   * Resolves once PostgreSQL is prepared, or is known to be away for now: the attempts then go on in the background.
   * Rejects with DatabaseStartError when it answers with an error that waiting does not mend.
   */
  settled: Promise<void>;
  isPrepared(): boolean;
  /** No attempt begins any more. */
  close(): void;
}

const RETRY_DELAY_MS_MIN = 100;
const RETRY_DELAY_MS_MAX = 2000;

/** DUR-4: a PostgreSQL that is away does not keep a node from starting, which decides from its replica meanwhile. */
export function startDatabase(options: DatabaseStartOptions): DatabaseStart {
  const closing = new AbortController();
  let prepared = false;
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
        await options.prepare();
        if (closing.signal.aborted) return;
        prepared = true;
        return options.onPrepared();
      } catch (error) {
        if (closing.signal.aborted) return;
        // Once requests are answered from the replica, no error is worth taking that away.
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
    isPrepared: () => prepared,
    close,
  };
}

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention, system error. */
const TRANSIENT_SQLSTATE = /^(08|53|57|58)/;
/** What node-postgres says, without a code, of a connection that ends or does not answer. */
const CONNECTION_LOST = /timeout|timed out|connection terminated|connection error|not queryable/i;

/** Whether waiting may mend it; errors of the operating system (ECONNREFUSED, ENOENT of a socket, …) all may. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && (TRANSIENT_SQLSTATE.test(code) || /^E[A-Z]+/.test(code))) return true;
  if (error instanceof AggregateError && error.errors.some(isOutage)) return true;
  return CONNECTION_LOST.test(error.message) || isOutage(error.cause);
}
