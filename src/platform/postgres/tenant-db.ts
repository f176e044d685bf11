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

/** A connection for statements that both tenants and the service itself run. */
export interface AnyConnection {
  query<R extends QueryResultRow>(query: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>>;
}

/** A connection whose statements see one workspace's rows. PostgreSQL hides all others, whatever a statement says. */
export interface TenantConnection extends AnyConnection {
  /** `ws_…`. The field also keeps a connection that sees all tenants from having this type. */
  readonly workspaceId: string;
}

export interface Tenant extends TenantConnection {
  /** Runs `work` in one transaction (`inTransaction`). Begin and commit take one round trip each. */
  transaction<T>(work: (client: TenantConnection) => Promise<T>, begin?: string): Promise<T>;
}

/** Connections with the role of tenants. Each statement needs a workspace. */
export interface TenantDb {
  of(workspaceId: string): Tenant;
  end(): Promise<void>;
}

export interface TenantDbOptions extends PoolOptions {
  /** Connections that one workspace may hold. By default it may hold all. */
  workspaceConnectionsMax?: number;
}

/** A connection that cannot take the role (tenant-role.ts) is refused. So none ever runs as the tables' owner. */
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
        // `hex` has hexadecimal digits only. The setting ends with the transaction.
        `${begin}; set local payinference.workspace_id = '${hex}'`,
      ),
  };
}

function connectionOf(client: ClientBase, workspaceId: string): TenantConnection {
  return { workspaceId, query: (query, values) => client.query(query as string, values) };
}

/** Follows node-postgres' own `pool.query`, which closes a connection unless the server has answered. */
function isBroken(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError);
}

/** A `begin` for `transaction`. All its statements see one state of the database. */
export const SNAPSHOT = "begin isolation level repeatable read read only";
