import type { ClientBase } from "pg";
import type { Pace } from "../../platform/timing/pace.js";
import type { StorePart } from "./archive/archive-part.js";
import { leavingRows, notePart } from "./leaving.js";
import { withShortLocks } from "./short-locks.js";
import { WEEKLY_TABLES, type Week } from "./weeks.js";
import { wasWritten } from "./written-since.js";

/**
 * RET-7: detaches a week from its tables and drops it. DETACH CONCURRENTLY blocks neither readers nor writers, because
 * it waits until nobody reads the partition. Afterwards every connection plans its statements anew, so a long rest
 * follows each detach. The next run continues an interrupted one.
 *
 * RET-10: with `store` the rows are archived after detaching and before dropping. Tenants cannot see the rows during
 * that time.
 */
export async function dropWeek(
  client: ClientBase,
  week: Week,
  { store, pace }: { store: StorePart | null; pace: Pace },
): Promise<void> {
  const parts = new Map(week.parts.map(({ table, state }) => [table, state]));
  for (const table of WEEKLY_TABLES) {
    const state = parts.get(table);
    if (state === undefined || state === "detached") continue;
    const detach = `alter table ${table} detach partition ${table}_${week.suffix}`;
    await withShortLocks(client, async () => {
      // A detach that was interrupted leaves the partition half detached. Only `finalize` can complete it.
      const isBegun = await isDetaching(client, `${table}_${week.suffix}`);
      await client.query(`${detach} ${isBegun ? "finalize" : "concurrently"}`);
    });
    await pace.restLong();
  }
  const names = week.parts.map(({ table }) => `${table}_${week.suffix}`);
  if (store === null || !(await hasRows(client, names))) {
    // All partitions are detached by now, so no query can reach them.
    for (const name of names) {
      await client.query(`drop table if exists ${name}`);
      await pace.rest();
    }
    return;
  }
  const stored = await store(leavingRows(week, null));
  await withShortLocks(client, async () => {
    await client.query("begin");
    try {
      await client.query(`lock table ${names.join(", ")} in access exclusive mode`);
      // The writer copies into a partition by its name. A detached partition keeps its name, so the writer may have
      // added rows.
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
