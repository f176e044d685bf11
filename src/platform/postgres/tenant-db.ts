import pg, {
  type ClientBase,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from "pg";
import { idToHex } from "../../domain/ids/ids.js";
import { createFairConnections } from "./fair-connections.js";
import { CONNECTION_TIMEOUT_MS, createPool, type PoolOptions } from "./pool.js";
import { prepareTenantQueries, runTenantQuery } from "./tenant-query.js";
import { TENANT_ROLE } from "./tenant-role.js";
import { inTransaction } from "./transaction.js";

/** What any statement runs on that tenants and the service itself have in common. */
export interface AnyConnection {
  query<R extends QueryResultRow>(query: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>>;
}

/** Statements that see one workspace's rows; PostgreSQL knows no others, whatever their clauses say. */
export interface TenantConnection extends AnyConnection {
  /** `ws_…`. Also what keeps a connection that sees all tenants from being taken for one of these. */
  readonly workspaceId: string;
}

export interface Tenant extends TenantConnection {
  /** One transaction on one connection, as `inTransaction`; one round trip more than its statements take, and its commit. */
  transaction<T>(work: (client: TenantConnection) => Promise<T>, begin?: string): Promise<T>;
}

/** Tenants' connections, as the role of tenants: there is no way to a statement but by a workspace. */
export interface TenantDb {
  of(workspaceId: string): Tenant;
  end(): Promise<void>;
}

export interface TenantDbOptions extends PoolOptions {
  /** Of one workspace; all of them where it is left out. */
  workspaceConnectionsMax?: number;
}

/** Connections are refused where the role cannot be taken (tenant-role.ts): none ever runs as the tables' owner. */
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
  return {
    of: (workspaceId) => tenantOf(() => connect(workspaceId), workspaceId, idToHex(workspaceId)),
    end: () => pool.end(),
  };
}

function tenantOf(connect: () => Promise<PoolClient>, workspaceId: string, hex: string): Tenant {
  return {
    workspaceId,
    async query<R extends QueryResultRow>(query: string | QueryConfig, values?: unknown[]) {
      const client = await connect();
      let failure: Error | undefined;
      try {
        return await runTenantQuery<R>(client, hex, query, values);
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
        (client) => work(connectionOf(client, workspaceId)),
        // Hexadecimal digits and nothing else; local to the transaction.
        `${begin}; set local payinference.workspace_id = '${hex}'`,
      ),
  };
}

function connectionOf(client: ClientBase, workspaceId: string): TenantConnection {
  return { workspaceId, query: (query, values) => client.query(query as string, values) };
}

/** As node-postgres' own `pool.query`, which closes a connection unless the server has answered. */
function isBroken(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError);
}

/** As `begin` of `transaction`: all statements see one state of the database. */
export const SNAPSHOT = "begin isolation level repeatable read read only";
