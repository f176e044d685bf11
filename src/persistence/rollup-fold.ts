import type { ClientBase } from "pg";

/** After how much of this node's own writing the deltas are folded. */
export interface FoldLimits {
  /** What a reader has to add up: about a microsecond each. */
  deltas: number;
  decisions: number;
}

/** Measured: a smaller fold costs more per decision, a larger one slows the reads in between. */
const DEFAULT_LIMITS: FoldLimits = { deltas: 1000, decisions: 8000 };

export interface RollupFolder {
  /** After a committed transaction of the writer: folds when due. Rejects when PostgreSQL is away. */
  written(client: ClientBase, added: { deltas: number; decisions: number; outcomes: number }): Promise<void>;
}

/**
 * Keeps rollup_deltas short. Any node may fold what any other has written; what an earlier process left is folded
 * after the first write.
 */
export function createRollupFolder(limits: FoldLimits = DEFAULT_LIMITS): RollupFolder {
  let deltas = limits.deltas;
  let decisions = 0;
  return {
    async written(client, added) {
      // Outcomes leave at most a delta each, mostly far fewer.
      deltas += added.deltas + Math.ceil(added.outcomes / 8);
      decisions += added.decisions;
      if (deltas < limits.deltas && decisions < limits.decisions) return;
      await client.query("select fold_rollups()");
      // The table is rewritten all the time: its pages are made ready again now, not at autovacuum's next minute.
      await client.query("vacuum (truncate off) rollup_deltas");
      deltas = 0;
      decisions = 0;
    },
  };
}
