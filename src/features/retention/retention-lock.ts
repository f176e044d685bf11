import type { ClientBase } from "pg";

/** Runs `work` on one node at a time. Null, and nothing runs, while another node has the lock. */
export async function withRetentionLock<T>(client: ClientBase, work: () => Promise<T>): Promise<T | null> {
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('retention', 0)) as locked",
  );
  if (rows[0]?.locked !== true) return null;
  try {
    return await work();
  } finally {
    await client.query("select pg_advisory_unlock(hashtextextended('retention', 0))");
  }
}
