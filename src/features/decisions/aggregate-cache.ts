import type { FoundJson } from "../../platform/postgres/database-read.js";
import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface AggregateCacheOptions {
  /** The aggregate as JSON, without `source`. */
  aggregate(scope: DecisionScope): Promise<FoundJson | "unavailable">;
  /** Moves with every write this node acknowledges. */
  writes(): number;
  /** Monotonic milliseconds. */
  now(): number;
}

interface Entry {
  json: string;
  writes: number;
  madeAtMs: number;
}

/**
 * AGG-5: an aggregate is kept for at most 5 s, and no longer than until this node's next write, so that reading
 * one's own writes holds.
 */
export function createAggregateCache({ aggregate, writes, now }: AggregateCacheOptions) {
  const entries = new Map<string, Entry>();
  return async (scope: DecisionScope): Promise<FoundJson | "unavailable"> => {
    const key = JSON.stringify([scope.workspaceId, scope.mode, scope.merchantScope]);
    const entry = entries.get(key);
    if (entry?.writes === writes() && now() - entry.madeAtMs < LIMITS.aggregateCacheMs) {
      return withSource(entry.json, "cache");
    }
    // What is written while it is computed may be missing in it.
    const made = { writes: writes(), madeAtMs: now() };
    const computed = await aggregate(scope);
    if (computed === "unavailable") return computed;
    const { json } = computed;
    entries.delete(key);
    if (entries.size >= TUNING.aggregateCacheEntriesMax) entries.clear();
    entries.set(key, { json, ...made });
    return withSource(json, "live");
  };
}

/** AGG-5: GET /v1/decisions/aggregate: the last field. */
function withSource(json: string, source: "cache" | "live"): FoundJson {
  return { json: `${json.slice(0, -1)},"source":"${source}"}` };
}
