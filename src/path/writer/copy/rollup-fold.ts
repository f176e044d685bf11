import type { ClientBase } from "pg";
import { monotonicMs } from "../../../platform/timing/clock.js";
import { foldFacets } from "./facet-fold.js";
import { createFacetIds } from "./facet-ids.js";

/** How much this node writes before it folds the deltas. */
export interface FoldLimits {
  /** The number of deltas. A reader adds up each of them, in about a microsecond. */
  deltas: number;
  decisions: number;
}

/**
 * A fold updates the rows of each merchant only once, so rarer folds cost less. Measured with 200 merchants in each
 * batch of 1000: a fold after 8000 decisions costs PostgreSQL 7 µs a decision, and one after 16000 costs 3 µs. With one
 * merchant, both cost less than 0.5 µs.
 */
const DEFAULT_LIMITS: FoldLimits = { deltas: 3000, decisions: 12_000 };
/**
 * On a quiet node, deltas are folded after this time, although they are few. A fold takes 5 ms. Without this limit,
 * deltas would stay for more than twenty seconds, and each aggregate would take PostgreSQL 5 ms, not 2.5 ms.
 */
const FOLD_INTERVAL_MS = 2000;
const FEW_DELTAS = 32;
/**
 * A fold of facets rewrites the block of a whole month: 200 kB for ten thousand facets. So a quiet node folds facets
 * rarely. Readers add up the remaining deltas, which costs 0.4 µs for each decision or outcome.
 */
const FACET_FOLD_INTERVAL_MS = 20_000;

export interface RollupFolder {
  /**
   * Call this after each committed transaction of the writer. Folds if a fold is due. Rejects while PostgreSQL is away.
   */
  written(client: ClientBase, added: { deltas: number; decisions: number; outcomes: number }): Promise<void>;
}

/**
 * Keeps rollup_deltas and the other delta tables short. Any node may fold the deltas of any other node. The deltas of
 * an earlier process are folded after the first write.
 */
export function createRollupFolder(
  limits: FoldLimits = DEFAULT_LIMITS,
  now: () => number = monotonicMs,
): RollupFolder {
  let foldedMs = now();
  let deltas = limits.deltas;
  let decisions = 0;
  const facetIds = createFacetIds();
  let facetsFoldedMs = now();
  let facetEntries = limits.decisions;

  async function foldFacetsIfDue(client: ClientBase, entries: number): Promise<void> {
    facetEntries += entries;
    const isTime = facetEntries > 0 && now() - facetsFoldedMs >= FACET_FOLD_INTERVAL_MS;
    if (facetEntries < limits.decisions && !isTime) return;
    await foldFacets(client, facetIds);
    await client.query("vacuum (truncate off) facet_deltas_rows, facet_blocks");
    facetsFoldedMs = now();
    facetEntries = 0;
  }

  return {
    async written(client, added) {
      await foldFacetsIfDue(client, added.decisions + added.outcomes);
      // An outcome adds at most one delta. Many outcomes share a delta, so only an eighth of them is counted.
      deltas += added.deltas + Math.ceil(added.outcomes / 8);
      decisions += added.decisions;
      const isTime = deltas >= FEW_DELTAS && now() - foldedMs >= FOLD_INTERVAL_MS;
      if (deltas < limits.deltas && decisions < limits.decisions && !isTime) return;
      await client.query("select fold_rollups()");
      await client.query("select fold_costs_and_retries()");
      // Vacuums the delta tables now, and not at autovacuum's next minute, because they are rewritten all the time.
      await client.query(
        "vacuum (truncate off) rollup_deltas_rows, rollup_cost_deltas_rows, rollup_retry_deltas_rows",
      );
      foldedMs = now();
      deltas = 0;
      decisions = 0;
    },
  };
}
