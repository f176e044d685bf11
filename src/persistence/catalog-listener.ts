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

/** Listens for the notifications of migrations/0005, 0012, 0013 and 0014, on a connection of its own that is remade when it breaks. */
export function listenToCatalog(options: CatalogListenerOptions): { close(): Promise<void> } {
  let closed = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;

  const reconnectLater = (): void => {
    client = null;
    if (!closed) timer = setTimeout(() => void connect(), RECONNECT_DELAY_MS);
  };

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: options.connectionString,
      application_name: "payinference-listen",
      connectionTimeoutMillis: 1500,
      keepAlive: true,
    });
    let broken = false;
    const onBroken = (): void => {
      if (broken) return;
      broken = true;
      reconnectLater();
    };
    next.on("error", onBroken);
    next.on("end", onBroken);
    next.on("notification", ({ payload }) => options.onChange(payload as CatalogTable));
    try {
      await next.connect();
      await next.query("listen payinference_catalog");
      client = next;
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
      await client?.end().catch(() => undefined);
    },
  };
}
