import type { ClientBase } from "pg";
import { monotonicMs } from "../../../platform/timing/clock.js";

/** After how much of this node's own writing the deltas are folded. */
export interface FoldLimits {
  /** What a reader has to add up: about a microsecond each. */
  deltas: number;
  decisions: number;
}

/**
 * Measured: with 200 merchants in each batch of 1000, folding after 8000 decisions costs PostgreSQL 7 µs a decision and
 * after 16000 3 µs, since each merchant's rows are updated once a fold; with one merchant under 0.5 µs either way.
 */
const DEFAULT_LIMITS: FoldLimits = { deltas: 3000, decisions: 12_000 };
/**
 * Where little is decided, what is pending is folded after this time too: a fold takes 5 ms, and each aggregate over the
 * twenty-odd seconds until the limits are reached took 5 ms of PostgreSQL instead of 2.5.
 */
const FOLD_INTERVAL_MS = 2000;
const FEW_DELTAS = 32;

export interface RollupFolder {
  /** After a committed transaction of the writer: folds when due. Rejects when PostgreSQL is away. */
  written(client: ClientBase, added: { deltas: number; decisions: number; outcomes: number }): Promise<void>;
}

/**
 * Keeps rollup_deltas and its siblings short. Any node may fold what any other has written; what an earlier process left is folded
 * after the first write.
 */
export function createRollupFolder(
  limits: FoldLimits = DEFAULT_LIMITS,
  now: () => number = monotonicMs,
): RollupFolder {
  let foldedMs = now();
  let deltas = limits.deltas;
  let decisions = 0;
  return {
    async written(client, added) {
      // Outcomes leave at most a delta each, mostly far fewer.
      deltas += added.deltas + Math.ceil(added.outcomes / 8);
      decisions += added.decisions;
      const isTime = deltas >= FEW_DELTAS && now() - foldedMs >= FOLD_INTERVAL_MS;
      if (deltas < limits.deltas && decisions < limits.decisions && !isTime) return;
      await client.query("select fold_rollups()");
      await client.query("select fold_costs_and_retries()");
      // These tables are rewritten all the time: their pages are made ready again now, not at autovacuum's next minute.
      await client.query(
        "vacuum (truncate off) rollup_deltas_rows, rollup_cost_deltas_rows, rollup_retry_deltas_rows",
      );
      foldedMs = now();
      deltas = 0;
      decisions = 0;
    },
  };
}
