import type { ClientBase, Pool } from "pg";

const LOCK = "hashtextextended('copy_to_clickhouse', 0)";

/**
 * RET-25: runs work that reads rows from PostgreSQL and inserts them into ClickHouse. An erasure waits until such work
 * has ended. Otherwise the work could insert rows that the erasure has just removed.
 */
export async function whileCopying<Result>(pool: Pool, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let isReusable = false;
  try {
    await client.query(`select pg_advisory_lock_shared(${LOCK})`);
    const result = await work();
    await client.query(`select pg_advisory_unlock_shared(${LOCK})`);
    isReusable = true;
    return result;
  } finally {
    // Closing the connection releases its lock too.
    client.release(!isReusable);
  }
}

/** Resolves when all copies that began before the call have ended. Later copies read what PostgreSQL has now. */
export async function untilCopiesEnd(client: ClientBase): Promise<void> {
  await client.query(`select pg_advisory_lock(${LOCK})`);
  await client.query(`select pg_advisory_unlock(${LOCK})`);
}
