import type { DecisionScope } from "../persistence/decision-scope.js";
import { LIMITS } from "../shared/limits.js";
import type { AggregateDecisions, DecisionAggregate } from "./decision-aggregate.js";

export interface AggregateCacheOptions {
  aggregate: AggregateDecisions;
  /** Moves with every write this node acknowledges. */
  writes(): number;
  /** Monotonic milliseconds. */
  now(): number;
}

export type AnsweredAggregate = DecisionAggregate & { source: "cache" | "live" };

interface Entry {
  aggregate: DecisionAggregate;
  writes: number;
  madeAtMs: number;
}

/**
 * contract §6: an aggregate is kept for at most 5 s, and no longer than until this node's next write, so that reading
 * one's own writes holds.
 */
export function createAggregateCache({ aggregate, writes, now }: AggregateCacheOptions) {
  const entries = new Map<string, Entry>();
  return async (scope: DecisionScope): Promise<AnsweredAggregate | "unavailable"> => {
    const key = JSON.stringify([scope.workspaceId, scope.mode, scope.merchantScope]);
    const entry = entries.get(key);
    if (entry?.writes === writes() && now() - entry.madeAtMs < LIMITS.aggregateCacheMs) {
      return { ...entry.aggregate, source: "cache" };
    }
    // What is written while it is computed may be missing in it.
    const made = { writes: writes(), madeAtMs: now() };
    const computed = await aggregate(scope);
    if (computed === "unavailable") return computed;
    entries.delete(key);
    if (entries.size >= LIMITS.aggregateCacheEntriesMax) entries.clear();
    entries.set(key, { aggregate: computed, ...made });
    return { ...computed, source: "live" };
  };
}
