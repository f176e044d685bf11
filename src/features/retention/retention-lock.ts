import type { ClientBase } from "pg";
import { dropKept } from "./kept-tables.js";

/**
 * Runs `work` under a lock that one node holds at a time. Returns null without running it if another node holds the
 * lock. The rows that an interrupted rewrite has left are removed before `work`, because no erasure would find them.
 */
export async function withRetentionLock<T>(client: ClientBase, work: () => Promise<T>): Promise<T | null> {
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('retention', 0)) as locked",
  );
  if (rows[0]?.locked !== true) return null;
  try {
    await dropKept(client);
    return await work();
  } finally {
    await client.query("select pg_advisory_unlock(hashtextextended('retention', 0))");
  }
}
