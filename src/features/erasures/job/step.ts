import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import { ERASURE_TUNING } from "../../../domain/vocabulary/tuning/erasures.js";

/** An erasure in progress. Ids are hexadecimal, as PostgreSQL stores them. */
export interface ErasureWork {
  client: ClientBase;
  erasureId: string;
  workspaceId: string;
  /** Null means the whole workspace. */
  merchantId: string | null;
  /** True once this node is stopping. Another attempt then does the rest. */
  isStopping(): boolean;
}

/** Thrown when the node is stopping. Another attempt continues the erasure. */
export class ErasureStopped extends Error {
  override name = "ErasureStopped";
}

export interface RemovedRows {
  /** The table's name in the counts. */
  table: string;
  /** The table or partition that holds the rows. */
  from: string;
  /** A SQL condition. Rows that fulfil it are removed. */
  where: string;
  values: readonly unknown[];
}

/**
 * RET-22: removes rows in steps. Each step is a short transaction that also updates the counts. The counts therefore
 * never include a step that was rolled back. `begin` is an SQL statement that each transaction runs first.
 */
export async function removeRows(work: ErasureWork, rows: RemovedRows, begin?: string): Promise<void> {
  const { client, erasureId } = work;
  const { table, from, where, values } = rows;
  await inSteps(work, () =>
    together(client, async () => {
      if (begin !== undefined) await client.query(begin);
      const { rowCount } = await client.query(
        `delete from ${from} where ctid = any(array(
           select ctid from ${from} where ${where} limit ${ERASURE_TUNING.stepRowsMax}))`,
        [...values],
      );
      await addCounts(client, erasureId, { [table]: rowCount ?? 0 });
      return (rowCount ?? 0) === ERASURE_TUNING.stepRowsMax;
    }),
  );
}

/** Call it within the transaction that removes the rows. */
export async function addCounts(
  client: ClientBase,
  erasureId: string,
  counts: Readonly<Record<string, number>>,
): Promise<void> {
  const tables = Object.keys(counts).filter((table) => counts[table] !== 0);
  if (tables.length === 0) return;
  await client.query(
    `update erasures set counts = counts || (
       select jsonb_object_agg(name, coalesce((counts ->> name)::bigint, 0) + n)
       from unnest($2::text[], $3::bigint[]) as added (name, n))
     where erasure_id = $1`,
    [erasureId, tables, tables.map((table) => counts[table])],
  );
}

/**
 * Repeats `step` until it returns false. After each step it rests for as long as the step took, because decisions
 * have priority.
 */
export async function inSteps(work: ErasureWork, step: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (work.isStopping()) throw new ErasureStopped();
    const startedMs = performance.now();
    if (!(await step())) return;
    await sleep(Math.min(ERASURE_TUNING.restMsMax, performance.now() - startedMs));
  }
}

/** Runs `work` in one transaction on the job's connection. */
export async function together<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
