import type { ClientBase } from "pg";
import type { StorePart } from "./archive/archive-part.js";
import { leavingRows, notePart } from "./leaving.js";
import { withShortLocks } from "./short-locks.js";
import { WEEKLY_TABLES, type Week } from "./weeks.js";
import { wasWritten } from "./written-since.js";

/**
 * RET-7: takes a week out of its tables and drops it. Detaching concurrently keeps no reader and no writer waiting: it
 * waits itself until nobody reads the partition. A run that broke off is taken up where it ended.
 *
 * RET-10: with `store` the rows go to the archive in between. They are hidden by then, and no tenant's query finds them.
 */
export async function dropWeek(client: ClientBase, week: Week, store: StorePart | null): Promise<void> {
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
  const names = week.parts.map(({ table }) => `${table}_${week.suffix}`);
  if (store === null || !(await hasRows(client, names))) {
    // They are all detached by now, and nobody can reach them.
    for (const name of names) await client.query(`drop table if exists ${name}`);
    return;
  }
  const stored = await store(leavingRows(week, null));
  await withShortLocks(client, async () => {
    await client.query("begin");
    try {
      await client.query(`lock table ${names.join(", ")} in access exclusive mode`);
      // The writer copies into a partition by its name, which a detached one keeps.
      if (await wasWritten(client, names, stored.seenFrom)) {
        throw new Error("a week was written to while it was archived");
      }
      await notePart(client, week, stored);
      await client.query(`drop table ${names.join(", ")}`);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  });
}

async function hasRows(client: ClientBase, names: readonly string[]): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select ${names.map((name) => `exists (select from ${name})`).join(" or ")} as found`,
  );
  return rows[0]?.found === true;
}

async function isDetaching(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ detaching: boolean }>(
    "select inhdetachpending as detaching from pg_inherits where inhrelid = $1::regclass",
    [name],
  );
  return rows[0]?.detaching === true;
}
