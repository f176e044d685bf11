import { setTimeout as sleep } from "node:timers/promises";
import type { DecisionFacts } from "../outcomes/reported-outcome.js";
import type { DecisionKey } from "../persistence/decision-facts.js";
import { idTimeMs } from "../shared/ids.js";
import { LIMITS } from "../shared/limits.js";

export interface DecisionLookupOptions {
  /** One query; rejects while PostgreSQL is away. */
  find(keys: readonly DecisionKey[]): Promise<(DecisionFacts | null)[]>;
  /** False while PostgreSQL is known to be away. */
  isReachable(): boolean;
  /** Resolves once what this node has acknowledged so far is stored; false when that takes too long. */
  persisted(): Promise<boolean>;
  /** Unix milliseconds. */
  now(): number;
}

/** Null: there is no such decision. `unavailable`: PostgreSQL cannot say. `full`: too many are being looked up. */
export type LookupResult = DecisionFacts | null | "unavailable" | "full";

interface Asked {
  key: DecisionKey;
  settle(result: DecisionFacts | null | "unavailable"): void;
}

const RETRY_DELAY_MS = 50;
const QUERIES_MAX = 2;

/**
 * Finds the decisions that outcomes are reported for: those of one moment in one query. contract §6: "a report right
 * after its decision's response, on any node, finds it". A decision that is not stored yet is waited for: this node's
 * own by its journal's position, another's until it is too old to be still on its way.
 */
export function createDecisionLookup({ find, isReachable, persisted, now }: DecisionLookupOptions) {
  let waiting: Asked[] = [];
  let queries = 0;
  let pending = 0;
  let scheduled = false;

  const runQuery = async (asked: readonly Asked[]): Promise<void> => {
    try {
      const facts = await find(asked.map(({ key }) => key));
      for (const [index, { settle }] of asked.entries()) settle(facts[index] ?? null);
    } catch {
      for (const { settle } of asked) settle("unavailable");
    }
  };

  const flush = (): void => {
    while (waiting.length > 0 && queries < QUERIES_MAX) {
      const asked = waiting.slice(0, LIMITS.outcomeLookupRowsMax);
      waiting = waiting.slice(LIMITS.outcomeLookupRowsMax);
      queries++;
      void runQuery(asked).finally(() => {
        queries--;
        flush();
      });
    }
  };

  const ask = (key: DecisionKey): Promise<DecisionFacts | null | "unavailable"> =>
    new Promise((settle) => {
      waiting.push({ key, settle });
      if (scheduled) return;
      scheduled = true;
      setImmediate(() => {
        scheduled = false;
        flush();
      });
    });

  const isSettling = ({ decisionId }: DecisionKey): boolean => {
    const ageMs = now() - idTimeMs(decisionId);
    return ageMs < LIMITS.decisionSettlingMs && ageMs > -LIMITS.decisionSettlingMs;
  };

  const resolve = async (key: DecisionKey): Promise<DecisionFacts | null | "unavailable"> => {
    let found = await ask(key);
    if (found !== null) return found;
    // Also one of long ago may still be in the journal: after an outage, or when the process was away itself.
    if (!(await persisted())) return "unavailable";
    found = await ask(key);
    while (found === null && isSettling(key)) {
      await sleep(RETRY_DELAY_MS);
      found = await ask(key);
    }
    return found;
  };

  return async function lookUp(key: DecisionKey): Promise<LookupResult> {
    if (!isReachable()) return "unavailable";
    if (pending >= LIMITS.outcomeLookupsMax) return "full";
    pending++;
    try {
      return await resolve(key);
    } finally {
      pending--;
    }
  };
}

export type DecisionLookup = ReturnType<typeof createDecisionLookup>;
