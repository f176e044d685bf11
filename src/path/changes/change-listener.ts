import pg from "pg";

export interface ChangeListenerOptions {
  connectionString: string;
  /** Called when something changed, and when a new connection listens, because changes may have been missed before. */
  onChange(): void;
}

const RECONNECT_DELAY_MS = 1000;
/** With these two times, a peer that vanishes silently is noticed within 2.5 s. */
const CHECK_INTERVAL_MS = 1000;
const CHECK_TIMEOUT_MS = 1500;

/**
 * Listens for the notifications of migrations/0011_changes.sql, on a connection of its own that is replaced when it
 * breaks. Notifications only make the change feed look earlier: a node that receives none looks for changes within a
 * second.
 */
export function listenToChanges(options: ChangeListenerOptions): { close(): Promise<void> } {
  let closed = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let checking: NodeJS.Timeout | null = null;

  const reconnectLater = (): void => {
    client = null;
    if (checking !== null) clearInterval(checking);
    if (!closed) timer = setTimeout(() => void connect(), RECONNECT_DELAY_MS);
  };

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: options.connectionString,
      application_name: "payinference-listen",
      connectionTimeoutMillis: CHECK_TIMEOUT_MS,
      query_timeout: CHECK_TIMEOUT_MS,
      keepAlive: true,
    });
    let broken = false;
    const onBroken = (): void => {
      if (broken) return;
      broken = true;
      reconnectLater();
    };
    let isChecking = false;
    const check = async (): Promise<void> => {
      if (isChecking) return;
      isChecking = true;
      try {
        await next.query("select 1");
      } catch {
        onBroken();
        // While a query is running, pg closes the socket without waiting for the server.
        await next.end().catch(() => undefined);
      } finally {
        isChecking = false;
      }
    };
    next.on("error", onBroken);
    next.on("end", onBroken);
    next.on("notification", () => options.onChange());
    try {
      await next.connect();
      await next.query("listen payinference_changes");
      // `close` was called while this connection was being made, so nothing else would end it.
      if (closed) return await next.end();
      client = next;
      checking = setInterval(() => void check(), CHECK_INTERVAL_MS);
      options.onChange();
    } catch {
      onBroken();
      await next.end().catch(() => undefined);
    }
  };

  void connect();
  return {
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      if (checking !== null) clearInterval(checking);
      await client?.end().catch(() => undefined);
    },
  };
}
