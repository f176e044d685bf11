import type { LiveOutcomes } from "../../domain/health/live-outcome.js";
import type { EvidenceCursor, EvidencePage } from "./evidence-queries.js";
import { coalesce } from "../../platform/timing/coalesce.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";

export interface EvidenceFeedOptions {
  /** Behind a cursor, or without one all that windows still hold. */
  read(after: EvidenceCursor | null): Promise<EvidencePage>;
  dropOld(): Promise<void>;
  /** False while PostgreSQL is known to be away. */
  isReachable(): boolean;
  /** All that was said before this node listened; resolves once it shows. */
  recall(outcomes: readonly LiveOutcomes[]): Promise<void>;
  record(outcomes: readonly LiveOutcomes[]): void;
  /** So many rows could not be read. */
  onSkipped(rows: number): void;
  onError(error: unknown): void;
}

export interface EvidenceFeed {
  /** Recalls what windows still hold, and follows what is stored from there on. Rejects while PostgreSQL is away. */
  start(): Promise<void>;
  /** As after a start: the prober has begun anew and has forgotten everything. */
  restart(): void;
  close(): void;
}

/**
 * HLTH-10: every node hears of every node's outcomes in the order in which they were stored, its own
 * among them, and so learns the same.
 */
export function createEvidenceFeed(options: EvidenceFeedOptions): EvidenceFeed {
  let cursor: EvidenceCursor | null = null;
  let generation = 0;
  let failing = false;
  let timers: NodeJS.Timeout[] = [];

  const follow = coalesce(async (): Promise<void> => {
    const startGeneration = generation;
    const isRecall = cursor === null;
    const recalled: LiveOutcomes[][] = [];
    let next = cursor;
    let isFull = true;
    while (isFull) {
      const page: EvidencePage = await options.read(next);
      // The prober began anew meanwhile: what was read before is to be read again.
      if (generation !== startGeneration) return;
      ({ next, isFull } = page);
      if (page.skipped > 0) options.onSkipped(page.skipped);
      if (isRecall) recalled.push(page.outcomes);
      else {
        if (page.outcomes.length > 0) options.record(page.outcomes);
        cursor = next;
      }
    }
    if (!isRecall) return;
    // Only now: a recall whose second page could not be read begins again with the first.
    cursor = next;
    await options.recall(recalled.flat());
  });

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (!options.isReachable()) return;
    try {
      await work();
      failing = false;
    } catch (error) {
      // Said once: it is tried twice a second.
      if (!failing) options.onError(error);
      failing = true;
    }
  };

  return {
    async start() {
      await follow();
      timers = [
        setInterval(() => void attempt(follow), LIMITS.evidenceIntervalMs).unref(),
        setInterval(() => void attempt(options.dropOld), LIMITS.evidenceSweepIntervalMs).unref(),
      ];
    },
    restart() {
      generation++;
      cursor = null;
    },
    close() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
