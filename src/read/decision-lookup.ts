import { setTimeout as sleep } from "node:timers/promises";
import type { DecisionFacts } from "../outcomes/reported-outcome.js";
import type { DecisionKey } from "../persistence/decision-facts.js";
import type { JournalStanding, JournalStandings } from "../persistence/journal-standings.js";
import { idTimeMs } from "../shared/ids.js";
import { LIMITS } from "../shared/limits.js";

export interface DecisionLookupOptions {
  /** One query; rejects while PostgreSQL is away. */
  find(keys: readonly DecisionKey[]): Promise<(DecisionFacts | null)[]>;
  /** False while PostgreSQL is known to be away. */
  isReachable(): boolean;
  /** Calls back whenever PostgreSQL is found to be away. */
  onAway(giveUp: () => void): void;
  /** Resolves once what this node has acknowledged so far is stored; false when that takes too long. */
  persisted(): Promise<boolean>;
  /** What the other nodes' journals may hold, as of this call or later; rejects while PostgreSQL is away. */
  standings(): Promise<JournalStandings>;
  /** Milliseconds since PostgreSQL came back; infinite where it has not been away. */
  backForMs(): number;
  /** Monotonic milliseconds. */
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
 * own by its journal's position, another's until every node has told that what it acknowledged before is stored. While
 * one of them has not, nobody is told that there is no such decision.
 */
export function createDecisionLookup(options: DecisionLookupOptions) {
  const { find, isReachable, onAway, persisted, standings, backForMs, now } = options;
  let waiting: Asked[] = [];
  let queries = 0;
  /** How each of those that are being looked up is given up. */
  const pending = new Set<() => void>();
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

  /** Whether the decision is in none, or in one that is not heard from, or may still be stored any moment. */
  const othersOf = async (
    key: DecisionKey,
    askedAtMs: number | null,
  ): Promise<{ askedAtMs: number; may: "not_hold" | "come" | "be_away" }> => {
    const { clockMs, others } = await standings();
    const moment = { askedAtMs: askedAtMs ?? clockMs, clockMs, idMs: idTimeMs(key.decisionId) };
    const isJustBack = backForMs() < LIMITS.nodesReturnWithinMs;
    const holders = others.filter((other) => mayHold(other, moment, isJustBack));
    const isAwaited = holders.some(({ heardMs }) => clockMs - heardMs < LIMITS.nodeSilentAfterMs);
    return {
      askedAtMs: moment.askedAtMs,
      may: isAwaited ? "come" : holders.length > 0 ? "be_away" : "not_hold",
    };
  };

  const resolve = async (key: DecisionKey): Promise<DecisionFacts | null | "unavailable"> => {
    let found = await ask(key);
    if (found !== null) return found;
    // Also one of long ago may still be in the journal: after an outage, or when the process was away itself.
    if (!(await persisted())) return "unavailable";
    const patientUntilMs = now() + LIMITS.outcomeLookupPatienceMs;
    let askedAtMs: number | null = null;
    for (;;) {
      const others = await othersOf(key, askedAtMs);
      askedAtMs = others.askedAtMs;
      // After the others were asked: what they say is stored, this query sees.
      found = await ask(key);
      if (found !== null || others.may === "not_hold") return found;
      if (others.may === "be_away" || now() > patientUntilMs) return "unavailable";
      await sleep(RETRY_DELAY_MS);
    }
  };

  // A query that a frozen PostgreSQL does not answer ends 2.5 s later; the journal may know the decision now.
  onAway(() => {
    for (const giveUp of pending) giveUp();
  });

  return function lookUp(key: DecisionKey): Promise<LookupResult> {
    if (!isReachable()) return Promise.resolve("unavailable");
    if (pending.size >= LIMITS.outcomeLookupsMax) return Promise.resolve("full");
    return new Promise((answer) => {
      const settle = (result: LookupResult): void => {
        pending.delete(giveUp);
        answer(result);
      };
      const giveUp = (): void => settle("unavailable");
      pending.add(giveUp);
      // A rejection: PostgreSQL went away between the questions.
      resolve(key).then(settle, giveUp);
    });
  };
}

/** Times are those of PostgreSQL's clock, but for `idMs`, which the deciding host has set by its own. */
interface Moment {
  /** The report came before. */
  askedAtMs: number;
  clockMs: number;
  idMs: number;
}

/** Whether a node may have acknowledged the decision and not stored it yet. */
function mayHold(
  { settledThroughMs, heardMs, stopped }: JournalStanding,
  { askedAtMs, clockMs, idMs }: Moment,
  isJustBack: boolean,
): boolean {
  if (settledThroughMs >= askedAtMs) return false;
  if (idMs < settledThroughMs - LIMITS.hostClockSkewMs || idMs > clockMs + LIMITS.hostClockSkewMs)
    return false;
  // While PostgreSQL was away nobody could tell that it had started, nor that it was still there.
  return isJustBack || (!stopped && clockMs - heardMs < LIMITS.nodeForgottenAfterMs);
}

export type DecisionLookup = ReturnType<typeof createDecisionLookup>;
