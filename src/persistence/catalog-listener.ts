import pg from "pg";

/** What has changed; only `workspaces` and `api_keys` change what a key stands for (migrations/0012). */
const CATALOG_TABLES = [
  "workspaces",
  "new_workspaces",
  "merchants",
  "policies",
  "api_keys",
  "provider_overrides",
  "merchant_prices",
  "webhook_secrets",
  "provider_incidents",
] as const;
export type CatalogTable = (typeof CATALOG_TABLES)[number];

export function isCatalogTable(name: string): name is CatalogTable {
  return (CATALOG_TABLES as readonly string[]).includes(name);
}

export interface CatalogListenerOptions {
  connectionString: string;
  /** Something changed; `null` after a reconnect: anything may have changed meanwhile. */
  onChange(table: CatalogTable | null): void;
}

const RECONNECT_DELAY_MS = 1000;
/**
 * contract §5: a publish reaches every node in 5 s. Notifications are lost only with their connection, so whether that
 * still answers is what is checked; a peer that is gone without a word is noticed within 2.5 s.
 */
const CHECK_INTERVAL_MS = 1000;
const CHECK_TIMEOUT_MS = 1500;

/** Listens for the notifications of migrations/0005, 0012, 0013, 0014 and 0016, on a connection of its own that is remade when it breaks. */
export function listenToCatalog(options: CatalogListenerOptions): { close(): Promise<void> } {
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
    let asked = false;
    const check = async (): Promise<void> => {
      if (asked) return;
      asked = true;
      try {
        await next.query("select 1");
      } catch {
        onBroken();
        // With a query under way, pg drops the socket instead of waiting for a goodbye.
        await next.end().catch(() => undefined);
      } finally {
        asked = false;
      }
    };
    next.on("error", onBroken);
    next.on("end", onBroken);
    next.on("notification", ({ payload }) => options.onChange(payload as CatalogTable));
    try {
      await next.connect();
      await next.query("listen payinference_catalog");
      // Nobody would end this one: the close came while it was being made.
      if (closed) return await next.end();
      client = next;
      checking = setInterval(() => void check(), CHECK_INTERVAL_MS);
      options.onChange(null);
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
