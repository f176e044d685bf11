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

/** A connection whose statements see one workspace's rows. PostgreSQL hides all others from any statement. */
export interface TenantConnection extends AnyConnection {
  /** `ws_…`. Because of this field, a connection that sees all tenants does not have this type. */
  readonly workspaceId: string;
}

/** A tenant's connection in a transaction. */
export interface TenantTransaction extends TenantConnection {
  /** RET-4: older decisions are not visible. Unix milliseconds. 0 if nothing older was made. */
  readonly firstKeptMs: number;
}

export interface Tenant extends TenantConnection {
  /** Runs `work` in one transaction (`inTransaction`). Begin and commit take one round trip each. */
  transaction<T>(work: (client: TenantTransaction) => Promise<T>, begin?: string): Promise<T>;
}

/** Connections with the role of tenants. Each statement needs a workspace. */
export interface TenantDb {
  of(workspaceId: string): Tenant;
  end(): Promise<void>;
}

export interface TenantDbOptions extends PoolOptions {
  /** The most connections that one workspace may hold. By default it may hold all. */
  workspaceConnectionsMax?: number;
  /** RET-2. By default everything is kept. */
  retention?: Retention;
}

/** The time for which tenants' decisions are kept. */
export interface Retention {
  /** 0 keeps everything. */
  days: number;
  /** Unix milliseconds. */
  now(): number;
}

const KEEP_EVERYTHING: Retention = { days: 0, now };

/** A connection that cannot assume the role (tenant-role.ts) is refused, so none ever runs as the tables' owner. */
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
  return {
    of: (workspaceId) => tenantOf(() => connect(workspaceId), workspaceId, retentionSetting),
    end: () => pool.end(),
  };
}

/** `kept` are a transaction's settings for its time and the service's limit (migrations/0024_retention.sql). */
function tenantOf(connect: () => Promise<PoolClient>, workspaceId: string, kept: () => string): Tenant {
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
        (client, begun) => work({ ...connectionOf(client, workspaceId), firstKeptMs: firstKeptIn(begun) }),
        // Both values are digits that the service makes. The settings end with the transaction.
        `${begin}; set local payinference.workspace_id = '${hex}'; set local payinference.kept = '${kept()}';
         select first_kept_ms()`,
      ),
  };
}

function connectionOf(client: ClientBase, workspaceId: string): TenantConnection {
  return { workspaceId, query: (query, values) => client.query(query as string, values) };
}

function firstKeptIn(begun: QueryResult | QueryResult[]): number {
  const { rows = [] } = [begun].flat().at(-1) ?? {};
  return Number((rows[0] as { first_kept_ms: string } | undefined)?.first_kept_ms ?? 0);
}

/** Follows node-postgres' own `pool.query`, which closes a connection unless the server has answered. */
function isBroken(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError);
}

/** A `begin` for `transaction`. All its statements see one state of the database. */
export const SNAPSHOT = "begin isolation level repeatable read read only";
