import type { Database } from "lmdb";
import type { DecisionFacts } from "../outcomes/reported-outcome.js";
import { exactly } from "./fast-value.js";
import { findFacts, joinFacts, splitFacts } from "./known-facts.js";

/** The decisions that have left the journal last: what the node knows of them while PostgreSQL is away. */
export interface KnownDecisions {
  /** Inside a transaction: facts (KnownFacts) to be known from now on. The oldest are forgotten for them. */
  keep(facts: Buffer): void;
  /** `id`: a decision's 128 bits; `timeMs`: its own. */
  find(id: Buffer, timeMs: number): DecisionFacts | null;
}

export interface KnownDecisionsOptions {
  /** Ascending number → facts. */
  database: Database<Buffer, number>;
  /** Whether they take more room than they may. */
  isOverfull(): boolean;
  /** See Journal. */
  reading<T>(look: () => T): T;
}

/** Facts of few decisions go to those before them, of many into several: each is looked through only where its times fit, and forgotten whole. */
const VALUE_BYTES_FULL = 16 * 1024;

export function createKnownDecisions({
  database,
  isOverfull,
  reading,
}: KnownDecisionsOptions): KnownDecisions {
  return {
    keep(facts) {
      let last = only(database.getKeys({ reverse: true, limit: 1 })) ?? 0;
      const lastBefore = last;
      for (const value of splitFacts(facts, VALUE_BYTES_FULL)) {
        const before = last === 0 ? undefined : database.getBinary(last);
        if (before !== undefined && before.length + value.length <= VALUE_BYTES_FULL) {
          database.putSync(last, joinFacts(before, value));
        } else database.putSync(++last, value);
      }
      // What was stored just now stays, however long its ids are.
      for (const number of Array.from(database.getKeys({ end: lastBefore + 1 }))) {
        if (!isOverfull()) return;
        database.removeSync(number);
      }
    },
    find: (id, timeMs) =>
      reading(() => {
        for (const number of database.getKeys({ reverse: true })) {
          // Into memory that lmdb-js uses again: a copy of its own for each value would be megabytes a look-up.
          const facts = exactly(database.getBinaryFast(number) as Uint8Array);
          const found = findFacts(facts, id, timeMs);
          if (found !== null) return found;
        }
        return null;
      }),
  };
}

function only(keys: Iterable<number>): number | undefined {
  for (const key of keys) return key;
  return undefined;
}
