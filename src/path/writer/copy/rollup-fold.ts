import type { ClientBase } from "pg";
import { monotonicMs } from "../../../platform/timing/clock.js";
import { foldFacets } from "./facet-fold.js";
import { createFacetIds } from "./facet-ids.js";

/** The amount of this node's own writing after which the deltas are folded. */
export interface FoldLimits {
  /** The deltas that a reader has to add up, at about a microsecond each. */
  deltas: number;
  decisions: number;
}

/**
 * Each fold updates each merchant's rows once, so rarer folds cost less. Measured with 200 merchants in each batch of
 * 1000: a fold after 8000 decisions costs PostgreSQL 7 µs a decision, and one after 16000 costs 3 µs. With one merchant
 * both cost under 0.5 µs.
 */
const DEFAULT_LIMITS: FoldLimits = { deltas: 3000, decisions: 12_000 };
/**
 * On a quiet node, pending deltas are folded after this time too. A fold takes 5 ms. Without this limit, deltas would
 * stay for more than twenty seconds, and each aggregate would take PostgreSQL 5 ms instead of 2.5.
 */
const FOLD_INTERVAL_MS = 2000;
const FEW_DELTAS = 32;
/**
 * A fold of facets rewrites the block of a whole month: 200 kB for ten thousand facets. So a quiet node folds them
 * rarely. A reader adds up the remaining deltas, at 0.4 µs a decision or outcome.
 */
const FACET_FOLD_INTERVAL_MS = 20_000;

export interface RollupFolder {
  /** The writer calls it after each committed transaction. Folds if a fold is due. Rejects while PostgreSQL is away. */
  written(client: ClientBase, added: { deltas: number; decisions: number; outcomes: number }): Promise<void>;
}

/**
 * Keeps rollup_deltas and its siblings short. Any node may fold the deltas of any other. The deltas of an earlier
 * process are folded after the first write.
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
      // Each outcome adds at most one delta, and usually far fewer.
      deltas += added.deltas + Math.ceil(added.outcomes / 8);
      decisions += added.decisions;
      const isTime = deltas >= FEW_DELTAS && now() - foldedMs >= FOLD_INTERVAL_MS;
      if (deltas < limits.deltas && decisions < limits.decisions && !isTime) return;
      await client.query("select fold_rollups()");
      await client.query("select fold_costs_and_retries()");
      // These tables are rewritten all the time, so they are vacuumed now instead of at autovacuum's next minute.
      await client.query(
        "vacuum (truncate off) rollup_deltas_rows, rollup_cost_deltas_rows, rollup_retry_deltas_rows",
      );
      foldedMs = now();
      deltas = 0;
      decisions = 0;
    },
  };
}
