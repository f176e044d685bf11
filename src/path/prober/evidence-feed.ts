import type { LiveOutcomes } from "../../domain/health/live-outcome.js";
import type { EvidenceCursor, EvidencePage } from "./evidence-queries.js";
import { coalesce } from "../../platform/timing/coalesce.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface EvidenceFeedOptions {
  /** Reads the evidence behind a cursor. Null reads all evidence that windows still hold. */
  read(after: EvidenceCursor | null): Promise<EvidencePage>;
  dropOld(): Promise<void>;
  /** False while PostgreSQL is known to be away. */
  isReachable(): boolean;
  /** Replays the outcomes stored before this node followed the feed. Resolves once the result is shown. */
  recall(outcomes: readonly LiveOutcomes[]): Promise<void>;
  record(outcomes: readonly LiveOutcomes[]): void;
  /** Reports the number of rows that could not be read. */
  onSkipped(rows: number): void;
  onError(error: unknown): void;
}

export interface EvidenceFeed {
  /**
   * Recalls the evidence that windows still hold, and follows the feed from there on. Rejects while PostgreSQL is away.
   */
  start(): Promise<void>;
  /** Begins again with a recall, because the prober has restarted and forgotten everything. */
  restart(): void;
  close(): void;
}

/**
 * HLTH-10: every node reads the outcomes of all nodes, its own among them, in the order in which they were stored. So
 * all nodes learn the same.
 *
 * | State | A look ends | A look fails | The prober restarts |
 * |---|---|---|---|
 * | `recall`: there is no cursor | recalls all pages, then `follow` | `recall`, from the first page | `recall`, from the first page |
 * | `follow` | `follow` | `follow`, behind the last whole page | `recall` |
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
      // The prober restarted meanwhile, so the evidence must be read again from the start.
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
    // The cursor moves only now: a recall that fails on a later page begins again with the first.
    cursor = next;
    await options.recall(recalled.flat());
  });

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (!options.isReachable()) return;
    try {
      await work();
      failing = false;
    } catch (error) {
      // The error is logged once, because the work is retried twice a second.
      if (!failing) options.onError(error);
      failing = true;
    }
  };

  return {
    async start() {
      await follow();
      timers = [
        setInterval(() => void attempt(follow), TUNING.evidenceIntervalMs).unref(),
        setInterval(() => void attempt(options.dropOld), TUNING.evidenceSweepIntervalMs).unref(),
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
