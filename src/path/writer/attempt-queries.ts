import type { Pool } from "pg";

/** The position up to which attempts have been read. The node stores it, so it survives a restart. */
export interface AttemptCursor {
  /** A pg_snapshot as text. Every row that it shows has been read. Null if nothing has been read. */
  snapshot: string | null;
  /** Where a look with several pages continues. Null between looks. */
  page: { target: string; storedBy: string; attemptsId: string } | null;
}

export interface AttemptPage {
  /** The rows of migrations/0013_order_attempts.sql, in the order of their transactions. */
  attempts: Buffer[];
  next: AttemptCursor;
  /** True if more attempts are already stored. */
  isFull: boolean;
}

/** Few, because a row has the attempts of one writer transaction, up to a quarter of a megabyte. */
const PAGE_ROWS = 50;

interface AttemptQueryRow {
  target: string;
  stored_by: string | null;
  attempts_id: string;
  attempts: Buffer;
}

/**
 * RTRY-17: reads the attempts stored since `after`, in the order of their transactions. Null reads the last
 * `windowSeconds`. The server's snapshots select the transactions, as for the change feed. A transaction that begins
 * early and commits late is found by a later look. No transaction is found by two looks.
 */
export async function readAttempts(
  pool: Pool,
  after: AttemptCursor | null,
  windowSeconds: number,
): Promise<AttemptPage> {
  const { snapshot, page } = after ?? { snapshot: null, page: null };
  const { rows } = await pool.query<AttemptQueryRow>({
    name: "read_order_attempts",
    text: `with bounds as materialized (
             select coalesce($2::pg_snapshot, pg_current_snapshot()) as target,
               coalesce(pg_snapshot_xmin($1::pg_snapshot),
                        (select min(stored_by) from order_attempts
                         where stored_at > now() - $5 * interval '1 second')) as first
           )
           select target::text, e.* from bounds
           left join lateral (
             select stored_by::text, attempts_id::text, attempts from order_attempts
             where stored_by >= first
               and (stored_by, attempts_id) > ($3::xid8, $4::bigint)
               and ($1::pg_snapshot is null or not pg_visible_in_snapshot(stored_by, $1::pg_snapshot))
               and pg_visible_in_snapshot(stored_by, target)
             order by order_attempts.stored_by, order_attempts.attempts_id limit ${PAGE_ROWS}
           ) e on true`,
    values: [snapshot, page?.target ?? null, page?.storedBy ?? "0", page?.attemptsId ?? "0", windowSeconds],
  });
  const stored = rows.filter(({ stored_by: storedBy }) => storedBy !== null);
  const { target } = rows[0] as AttemptQueryRow;
  const last = stored.at(-1);
  const isFull = stored.length === PAGE_ROWS && last !== undefined;
  return {
    attempts: stored.map(({ attempts }) => attempts),
    next: isFull
      ? { snapshot, page: { target, storedBy: last.stored_by as string, attemptsId: last.attempts_id } }
      : { snapshot: target, page: null },
    isFull,
  };
}

/** Deletes attempts that are older than `olderThanSeconds`. */
export async function dropOldAttempts(pool: Pool, olderThanSeconds: number): Promise<void> {
  await pool.query("delete from order_attempts where stored_at < now() - $1 * interval '1 second'", [
    olderThanSeconds,
  ]);
}
