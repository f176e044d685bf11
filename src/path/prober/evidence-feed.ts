import type { Evidence, LearntView } from "./messages.js";
import type { EvidenceCursor, EvidencePage } from "./evidence-queries.js";
import type { Learning, StoredLearning } from "./learnt-queries.js";
import { coalesce } from "../../platform/timing/coalesce.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface EvidenceFeedOptions {
  /** Reads the evidence after a cursor. Null reads the evidence of the last minutes. */
  read(after: EvidenceCursor | null): Promise<EvidencePage>;
  /** Reads what the nodes have learnt and stored. Null on a new database. */
  readLearning(): Promise<StoredLearning | null>;
  /**
   * Stores what this node has learnt. Returns false if another node does the storing. `before` is the cursor that
   * this node stored last, or null.
   */
  saveLearning(learning: Learning, before: string | null): Promise<boolean>;
  /**
   * Resolves to what was learnt from all outcomes recorded before the call: all views, or those that changed since the
   * last call. Null if the prober does not answer.
   */
  exportLearnt(all: boolean): Promise<LearntView[] | null>;
  dropOld(): Promise<void>;
  /** False while PostgreSQL is known to be away. */
  isReachable(): boolean;
  /** Restores what was learnt, and replays the outcomes stored since. Resolves when the result is shown. */
  recall(evidence: Evidence, learnt: readonly LearntView[]): Promise<void>;
  record(evidence: Evidence): void;
  /** Called with the number of rows that could not be read. */
  onSkipped(rows: number): void;
  onError(error: unknown): void;
}

export interface EvidenceFeed {
  /** Recalls what was learnt, and then follows the feed. Rejects while PostgreSQL is away. */
  start(): Promise<void>;
  /** Recalls again, because the prober was restarted and has lost what it had learnt. */
  restart(): void;
  close(): void;
}

/**
 * HLTH-10: every node reads the outcomes of all nodes, including its own, in the order in which they were stored. So
 * all nodes learn the same.
 *
 * | State | A look ends | A look fails | The prober restarts |
 * |---|---|---|---|
 * | `recall`: no cursor | recalls all pages, then `follow` | `recall`, from page one | `recall`, from page one |
 * | `follow` | `follow` | `follow`, after the last whole page | `recall` |
 */
export function createEvidenceFeed(options: EvidenceFeedOptions): EvidenceFeed {
  let cursor: EvidenceCursor | null = null;
  /** The cursor that this node stored last. Null if it has stored none, or if another node may have stored later. */
  let savedThrough: string | null = null;
  let generation = 0;
  let failing = false;
  let timers: NodeJS.Timeout[] = [];

  const follow = coalesce(async (): Promise<void> => {
    const startGeneration = generation;
    const isRecall = cursor === null;
    const recalled: Evidence[] = [];
    const learning = isRecall ? await options.readLearning() : null;
    let next = isRecall ? cursorOf(learning) : cursor;
    let isFull = true;
    while (isFull) {
      const page: EvidencePage = await options.read(next);
      // The prober was restarted during the read, so the evidence must be read again from the start.
      if (generation !== startGeneration) return;
      ({ next, isFull } = page);
      if (page.skipped > 0) options.onSkipped(page.skipped);
      if (isRecall) recalled.push(page);
      else {
        if (page.outcomes.length + page.retries.length > 0) options.record(page);
        cursor = next;
      }
    }
    if (!isRecall) return;
    // The cursor moves only after all pages. A recall that fails on a later page begins again with the first page.
    cursor = next;
    savedThrough = null;
    await options.recall(together(recalled), learning?.views ?? []);
  });

  /**
   * HLTH-11: one of the nodes stores what all have learnt, since all nodes learn the same. It writes the views that
   * changed. A node that takes over writes all views. Nothing is stored between two pages of a look, because no
   * snapshot describes what has been learnt at that point.
   */
  const save = coalesce(async (): Promise<void> => {
    const through = cursor?.page === null ? cursor.snapshot : null;
    if (through === null) return;
    const before = savedThrough;
    savedThrough = null;
    // Nothing is recorded between the read of the cursor and this call, so the views match the cursor.
    const views = await options.exportLearnt(before === null);
    if (views === null || !(await options.saveLearning({ through, views }, before))) return;
    savedThrough = through;
  });

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (!options.isReachable()) return;
    try {
      await work();
      failing = false;
    } catch (error) {
      // Only the first of several errors is logged, because the work is retried twice a second.
      if (!failing) options.onError(error);
      failing = true;
    }
  };

  return {
    async start() {
      await follow();
      timers = [
        setInterval(() => void attempt(follow), TUNING.evidenceIntervalMs).unref(),
        setInterval(() => void attempt(save), TUNING.learntSaveIntervalMs).unref(),
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

function together(pages: readonly Evidence[]): Evidence {
  return {
    outcomes: pages.flatMap(({ outcomes }) => outcomes),
    retries: pages.flatMap(({ retries }) => retries),
  };
}

/** The cursor that matches the stored views. Null if it is unknown. */
function cursorOf(learning: StoredLearning | null): EvidenceCursor | null {
  const through = learning?.through ?? null;
  return through === null ? null : { snapshot: through, page: null };
}
