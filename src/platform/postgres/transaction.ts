import type { ClientBase, Pool } from "pg";

/** Runs `work` in one transaction on one connection. If `work` rejects, it rolls back and rejects as well. */
export async function inTransaction<T>(
  pool: Pick<Pool, "connect">,
  work: (client: ClientBase) => Promise<T>,
  begin = "begin",
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((broken: Error) => (failure = broken));
    throw error;
  } finally {
    // A connection that cannot roll back is closed.
    client.release(failure);
  }
}
