import type { ClientBase, Pool, QueryResult } from "pg";

/**
 * Runs `work` in one transaction on one connection. If `work` rejects, the transaction is rolled back, and the call
 * rejects with the same error. `begun` is the result of `begin`: a list, if `begin` has several statements.
 */
export async function inTransaction<T>(
  pool: Pick<Pool, "connect">,
  work: (client: ClientBase, begun: QueryResult | QueryResult[]) => Promise<T>,
  begin = "begin",
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const begun = await client.query(begin);
    const result = await work(client, begun);
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
