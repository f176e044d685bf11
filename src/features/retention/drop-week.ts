import type { ClientBase } from "pg";
import { withShortLocks } from "./short-locks.js";
import { WEEKLY_TABLES, type Week } from "./weeks.js";

/**
 * RET-7: takes a week out of its tables and drops it. Detaching concurrently keeps no reader and no writer waiting: it
 * waits itself until nobody reads the partition. A run that broke off is taken up where it ended.
 */
export async function dropWeek(client: ClientBase, week: Week): Promise<void> {
  const parts = new Map(week.parts.map(({ table, state }) => [table, state]));
  for (const table of WEEKLY_TABLES) {
    const state = parts.get(table);
    if (state === undefined || state === "detached") continue;
    const detach = `alter table ${table} detach partition ${table}_${week.suffix}`;
    await withShortLocks(client, async () => {
      // An attempt that was given up, of this run or an earlier one, has left the partition half detached.
      const isBegun = await isDetaching(client, `${table}_${week.suffix}`);
      await client.query(`${detach} ${isBegun ? "finalize" : "concurrently"}`);
    });
  }
  // They are all detached by now, and nobody can reach them.
  for (const table of WEEKLY_TABLES) await client.query(`drop table if exists ${table}_${week.suffix}`);
}

async function isDetaching(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ detaching: boolean }>(
    "select inhdetachpending as detaching from pg_inherits where inhrelid = $1::regclass",
    [name],
  );
  return rows[0]?.detaching === true;
}
