import type { ClientBase } from "pg";
import { idFloorHex, idToHex } from "../../domain/ids/ids.js";
import type { Pace } from "../../platform/timing/pace.js";
import { RETENTION_TUNING } from "./retention-tuning.js";

/** Repeats a deletion of a few rows until it finds no more. */
type Sweep = (deletion: string, values: unknown[]) => Promise<void>;

export function createSweep(client: ClientBase, pace: Pace): Sweep {
  return async (deletion, values) => {
    for (;;) {
      const { rowCount } = await client.query(deletion, values);
      await pace.rest();
      if ((rowCount ?? 0) < RETENTION_TUNING.sweepRowsMax) return;
    }
  };
}

/**
 * Tables without partitions that have at most one row for a decision: reviews, and outcomes without a decision. They
 * have few rows.
 */
const SWEPT_TABLES = ["reviews", "unmatched_outcomes"] as const;

/** RET-7: removes rows that are older than the service's limit, in bounded steps. */
export async function sweepAll(sweep: Sweep, sinceMs: number): Promise<void> {
  for (const table of SWEPT_TABLES) {
    await sweep(
      `delete from ${table} where ctid = any(array(
      select ctid from ${table} where decision_id < $1 order by decision_id limit ${RETENTION_TUNING.sweepRowsMax}))`,
      [idFloorHex(sinceMs)],
    );
  }
}

/** RET-8: removes rows that are older than a workspace's own limit. */
export async function sweepWorkspace(sweep: Sweep, workspaceId: string, sinceMs: number): Promise<void> {
  for (const table of SWEPT_TABLES) {
    await sweep(
      `delete from ${table} where ctid = any(array(
      select ctid from ${table} where workspace_id = $1 and mode in (0, 1) and decision_id < $2
      limit ${RETENTION_TUNING.sweepRowsMax}))`,
      [idToHex(workspaceId), idFloorHex(sinceMs)],
    );
  }
}

/**
 * RET-16: removes rows that only removed decisions could refer to, and alerts that closed before the limit.
 * `oldestMs` is the earliest possible time of the oldest decision on disk.
 */
export async function sweepNamed(sweep: Sweep, sinceMs: number, oldestMs: number): Promise<void> {
  const before = new Date(Math.min(sinceMs, oldestMs) - RETENTION_TUNING.namedKeptMs);
  const limit = `limit ${RETENTION_TUNING.sweepRowsMax}`;
  const deletion = (table: string, rows: string): string =>
    `delete from ${table} where ctid = any(array(select ctid from ${table} as t where ${rows} ${limit}))`;
  await sweep(deletion("health_views", "last_seen_at < $1"), [before]);
  // A decision can refer to a version until the next version is made.
  const replaced = `exists (select from observed_prices n where n.workspace_id = t.workspace_id
    and n.merchant_id = t.merchant_id and n.version_number = t.version_number + 1 and n.created_at < $1)`;
  await sweep(deletion("observed_prices", replaced), [before]);
  // An alert for all workspaces has an acknowledgement in each of them.
  const closed = "(select alert_id from alerts where closed_at < $1)";
  await sweep(deletion("alert_acknowledgements", `alert_id in ${closed}`), [new Date(sinceMs)]);
  await sweep(deletion("alerts", "closed_at < $1"), [new Date(sinceMs)]);
}
