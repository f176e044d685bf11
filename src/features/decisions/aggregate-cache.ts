import type { ReadFailure } from "../../platform/http/api-error.js";
import type { FoundJson } from "../../platform/postgres/database-read.js";
import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface AggregateCacheOptions {
  /** Returns the aggregate as JSON, without `source`. */
  aggregate(scope: DecisionScope): Promise<FoundJson | ReadFailure>;
  /** A count that changes with every write this node acknowledges. */
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
 * AGG-5: an aggregate is cached for at most 5 s, and only until this node's next write. Clients therefore read their
 * own writes.
 */
export function createAggregateCache({ aggregate, writes, now }: AggregateCacheOptions) {
  const entries = new Map<string, Entry>();
  return async (scope: DecisionScope): Promise<FoundJson | ReadFailure> => {
    const key = JSON.stringify([scope.workspaceId, scope.mode, scope.merchantScope]);
    const entry = entries.get(key);
    if (entry?.writes === writes() && now() - entry.madeAtMs < LIMITS.aggregateCacheMs) {
      return withSource(entry.json, "cache");
    }
    // The aggregate may lack writes that happen while it is computed, so the write count is taken before it.
    const made = { writes: writes(), madeAtMs: now() };
    const computed = await aggregate(scope);
    if (typeof computed === "string") return computed;
    const { json } = computed;
    entries.delete(key);
    if (entries.size >= TUNING.aggregateCacheEntriesMax) entries.clear();
    entries.set(key, { json, ...made });
    return withSource(json, "live");
  };
}

/** AGG-5: GET /v1/decisions/aggregate: adds `source` as the last field. */
function withSource(json: string, source: "cache" | "live"): FoundJson {
  return { json: `${json.slice(0, -1)},"source":"${source}"}` };
}
