import pg, {
  type ClientBase,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from "pg";
import { idToHex } from "../../domain/ids/ids.js";
import { now } from "../timing/clock.js";
import { createFairConnections } from "./fair-connections.js";
import { CONNECTION_TIMEOUT_MS, createPool, type PoolOptions } from "./pool.js";
import { prepareTenantQueries, runTenantQuery } from "./tenant-query.js";
import { TENANT_ROLE } from "./tenant-role.js";
import { inTransaction } from "./transaction.js";

/** A connection for statements that both tenants and the service itself run. */
export interface AnyConnection {
  query<R extends QueryResultRow>(query: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>>;
}

/**
 * A connection whose statements see one workspace's rows. PostgreSQL hides the rows of other workspaces from every
 * statement.
 */
export interface TenantConnection extends AnyConnection {
  /** `ws_…`. Connections that see all tenants lack this field, so they do not have this type. */
  readonly workspaceId: string;
  /**
   * CH-12: the part of the workspace's log that PostgreSQL no longer has. Absent if there is no such part or no
   * ClickHouse.
   */
  readonly older?: OlderLog | undefined;
}

/** ClickHouse is away, is slow or refuses, or too many reads of it are running. */
export class OlderLogUnavailableError extends Error {}

/** Reads the log in ClickHouse, one workspace at a time. */
export interface OlderLogs {
  /** Returns the rows of a query, which sees only this workspace. `workspaceHex` has 32 digits. */
  rows<Row>(workspaceHex: string, sql: string, texts?: Readonly<Record<string, string>>): Promise<Row[]>;
  close(): Promise<void>;
}

/** The part of one workspace's log that only ClickHouse has. Times are Unix milliseconds. */
export interface OlderLog {
  /** The beginning of what the workspace's own retention limit keeps. 0 without such a limit. */
  readonly startMs: number;
  /** PostgreSQL has the decisions from this time on. */
  readonly endMs: number;
  /** Like `ClickHouse.rows`. Rejects with OlderLogUnavailableError. */
  rows<Row>(sql: string, texts?: Readonly<Record<string, string>>): Promise<Row[]>;
}

/**
 * The oldest time that a transaction may read, in PostgreSQL or ClickHouse, in Unix milliseconds. 0 without a limit.
 */
export function firstReadableMs({ older, firstKeptMs }: TenantTransaction): number {
  return older?.startMs ?? firstKeptMs;
}

/** A tenant's connection in a transaction. */
export interface TenantTransaction extends TenantConnection {
  /**
   * RET-4: decisions before this time are not visible. Unix milliseconds. 0 if the workspace was created after this
   * time.
   */
  readonly firstKeptMs: number;
}

export interface Tenant extends TenantConnection {
  /** Runs `work` in one transaction. Begin and commit take one round trip each. */
  transaction<T>(work: (client: TenantTransaction) => Promise<T>, begin?: string): Promise<T>;
}

/** Connections with the role of tenants. Every statement must name a workspace. */
export interface TenantDb {
  of(workspaceId: string): Tenant;
  /**
   * CH-12: true if a ClickHouse log is configured. Then `older` is set in transactions of workspaces whose log
   * PostgreSQL has only in part.
   */
  readonly readsOlderLogs: boolean;
  end(): Promise<void>;
}

export interface TenantDbOptions extends PoolOptions {
  /** The most connections that one workspace may hold. By default, all. */
  workspaceConnectionsMax?: number;
  /** RET-2: by default everything is kept. */
  retention?: Retention;
  /** CH-12: by default only PostgreSQL is read. */
  olderLogs?: OlderLogs | null;
}

/** The time for which tenants' decisions are kept. */
export interface Retention {
  /** 0 keeps everything. */
  days: number;
  /** Unix milliseconds. */
  now(): number;
}

const KEEP_EVERYTHING: Retention = { days: 0, now };

/**
 * A connection that cannot assume the role of tenants (tenant-role.ts) is refused. So no statement of a tenant runs as
 * the tables' owner.
 */
export function createTenantDb(options: TenantDbOptions): TenantDb {
  const pool = createPool(options, async (client) => {
    await client.query(`set role ${TENANT_ROLE}`);
    await prepareTenantQueries(client);
  });
  const connect = createFairConnections(pool, {
    max: options.connectionsMax,
    ownMax: options.workspaceConnectionsMax ?? options.connectionsMax,
    waitMsMax: options.connectionTimeoutMs ?? CONNECTION_TIMEOUT_MS,
  });
  const { days, now: time } = options.retention ?? KEEP_EVERYTHING;
  const retentionSetting = (): string => `${Math.floor(time())}/${days}`;
  const { olderLogs = null } = options;
  return {
    readsOlderLogs: olderLogs !== null,
    of: (workspaceId) => tenantOf(() => connect(workspaceId), workspaceId, retentionSetting, olderLogs),
    async end() {
      await pool.end();
      await olderLogs?.close();
    },
  };
}

/**
 * `kept` returns the value of the setting `payinference.kept`: the current time and the service's retention limit
 * (migrations/0024_retention.sql).
 */
function tenantOf(
  connect: () => Promise<PoolClient>,
  workspaceId: string,
  kept: () => string,
  olderLogs: OlderLogs | null,
): Tenant {
  const hex = idToHex(workspaceId);
  return {
    workspaceId,
    async query<R extends QueryResultRow>(query: string | QueryConfig, values?: unknown[]) {
      const client = await connect();
      let failure: Error | undefined;
      try {
        return await runTenantQuery<R>(client, [hex, kept()], query, values);
      } catch (error) {
        if (isBroken(error)) failure = error as Error;
        throw error;
      } finally {
        client.release(failure);
      }
    },
    transaction: (work, begin = "begin") =>
      inTransaction(
        { connect },
        (client, begun) => {
          const { firstKeptMs, ownFirstMs } = firstIn(begun);
          const older = olderLogs === null ? undefined : olderLogOf(olderLogs, hex, ownFirstMs, firstKeptMs);
          return work({ ...connectionOf(client, workspaceId), firstKeptMs, older });
        },
        // The service makes both values, and they contain no quote, so they need no escaping. The settings end with the
        // transaction.
        `${begin}; set local payinference.workspace_id = '${hex}'; set local payinference.kept = '${kept()}';
         select first_kept_ms(), own_kept_since_ms()`,
      ),
  };
}

function connectionOf(client: ClientBase, workspaceId: string): TenantConnection {
  return { workspaceId, query: (query, values) => client.query(query as string, values) };
}

function firstIn(begun: QueryResult | QueryResult[]): { firstKeptMs: number; ownFirstMs: number } {
  const { rows = [] } = [begun].flat().at(-1) ?? {};
  const row = rows[0] as { first_kept_ms: string; own_kept_since_ms: string } | undefined;
  return { firstKeptMs: Number(row?.first_kept_ms ?? 0), ownFirstMs: Number(row?.own_kept_since_ms ?? 0) };
}

function olderLogOf(logs: OlderLogs, hex: string, startMs: number, endMs: number): OlderLog | undefined {
  if (startMs >= endMs) return undefined;
  return { startMs, endMs, rows: (sql, texts) => logs.rows(hex, sql, texts) };
}

/**
 * True if the connection must be closed, because the error does not come from the server. `pool.query` of node-postgres
 * decides in the same way.
 */
function isBroken(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError);
}

/** A `begin` for `transaction` with which all statements see the same state of the database. */
export const SNAPSHOT = "begin isolation level repeatable read read only";
