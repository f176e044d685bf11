import type { Queryable } from "../../../platform/postgres/pool.js";

/** The unfinished erasures of all nodes. */
export interface UnfinishedErasures {
  waiting: number;
  failed: number;
  isDue: boolean;
}

export async function countUnfinishedErasures(db: Queryable): Promise<UnfinishedErasures> {
  const { rows } = await db.query<{ waiting: number; failed: number; due: boolean }>({
    name: "count_unfinished_erasures",
    text: `select (count(*) filter (where status <> 'failed'))::int as waiting,
             (count(*) filter (where status = 'failed'))::int as failed,
             coalesce(bool_or(status <> 'failed' and next_try_at <= now()), false) as due
           from erasures where status <> 'done'`,
  });
  const [row = { waiting: 0, failed: 0, due: false }] = rows;
  return { waiting: row.waiting, failed: row.failed, isDue: row.due };
}
