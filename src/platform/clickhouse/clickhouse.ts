import { Readable } from "node:stream";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";

/** Texts that a query refers to by name. */
export type Texts = Readonly<Record<string, string>>;

/** A ClickHouse server. Every call rejects if the server is away, is slow or refuses. */
export interface ClickHouse {
  /** Returns the server's version. Rejects if the server refuses the name or the password. */
  version(): Promise<string>;
  command(sql: string): Promise<void>;
  /**
   * Returns the rows of a query. Write only numbers and ids into `sql`. Pass every text of a request in `texts`, and
   * refer to it in `sql` as `{name:String}`.
   */
  rows<Row>(sql: string, texts?: Texts): Promise<Row[]>;
  /**
   * Adds rows in the format TabSeparated. Resolves when they are stored. Another insert with the same token changes
   * nothing.
   */
  insert(table: string, columns: readonly string[], rows: Buffer, token: string): Promise<void>;
  close(): Promise<void>;
}

export interface ClickHouseOptions {
  /** `http(s)://user:password@host:port/database`. */
  url: string;
  requestTimeoutMs: number;
  applicationName: string;
  /** By default two: one for an insert, and one for a query of reconciliation. */
  connectionsMax?: number;
}

export function openClickHouse({
  url,
  requestTimeoutMs,
  applicationName,
  connectionsMax = 2,
}: ClickHouseOptions): ClickHouse {
  const { username, password, pathname, origin } = new URL(url);
  const client = createClient({
    url: origin,
    username: decodeURIComponent(username) || "default",
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || "default",
    application: applicationName,
    request_timeout: requestTimeoutMs,
    max_open_connections: connectionsMax,
    // Logging is off, because the client would log the query of each failure.
    log: { level: ClickHouseLogLevel.OFF },
  });
  const rows = async <Row>(sql: string, texts: Texts = {}): Promise<Row[]> =>
    (await client.query({ query: sql, query_params: texts, format: "JSONEachRow" })).json<Row>();
  return {
    rows,
    async version() {
      const [first] = await rows<{ version: string }>("select version() as version");
      return first?.version ?? "";
    },
    async command(sql) {
      await client.command({ query: sql });
    },
    async insert(table, columns, bytes, token) {
      await client.insert({
        table,
        columns: [...columns] as [string, ...string[]],
        values: Readable.from([bytes], { objectMode: false }),
        format: "TabSeparated",
        // With async_insert, ClickHouse would answer before the rows are stored, or ignore the token.
        clickhouse_settings: { insert_deduplication_token: token, async_insert: 0 },
      });
    },
    close: () => client.close(),
  };
}
