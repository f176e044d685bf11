import type { Evidence, LearntView } from "./messages.js";
import type { EvidenceCursor, EvidencePage } from "./evidence-queries.js";
import type { Learning, StoredLearning } from "./learnt-queries.js";
import { coalesce } from "../../platform/timing/coalesce.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface EvidenceFeedOptions {
  /** Reads the evidence after a cursor. With null, it reads the evidence of the last minutes. */
  read(after: EvidenceCursor | null): Promise<EvidencePage>;
  /** Reads the nodes' stored knowledge. Null on a new database. */
  readLearning(): Promise<StoredLearning | null>;
  /**
   * Stores the knowledge. Returns false if another node does so. `before` is the cursor that this node stored last,
   * or null.
   */
  saveLearning(learning: Learning, before: string | null): Promise<boolean>;
  /**
   * Resolves to the knowledge from all outcomes recorded before the call. It covers all views, or those that changed
   * since the last call. Null if the prober gives no answer.
   */
  exportLearnt(all: boolean): Promise<LearntView[] | null>;
  dropOld(): Promise<void>;
  /** False while PostgreSQL is known to be away. */
  isReachable(): boolean;
  /** Restores the knowledge, and replays the outcomes stored since then. Resolves once the result is shown. */
  recall(evidence: Evidence, learnt: readonly LearntView[]): Promise<void>;
  record(evidence: Evidence): void;
  /** Reports the number of rows that could not be read. */
  onSkipped(rows: number): void;
  onError(error: unknown): void;
}

export interface EvidenceFeed {
  /** Recalls the stored knowledge, and then follows the feed. Rejects while PostgreSQL is away. */
  start(): Promise<void>;
  /** Starts again with a recall, because the prober has restarted and has lost its knowledge. */
  restart(): void;
  close(): void;
}

/**
 * HLTH-10: every node reads the outcomes of all nodes, including its own, in the order of storage. So all nodes learn
 * the same.
 *
 * | State | A look ends | A look fails | The prober restarts |
 * |---|---|---|---|
 * | `recall`: there is no cursor | recalls all pages, then `follow` | `recall`, from the first page | `recall`, from the first page |
 * | `follow` | `follow` | `follow`, after the last whole page | `recall` |
 */
export function createEvidenceFeed(options: EvidenceFeedOptions): EvidenceFeed {
  let cursor: EvidenceCursor | null = null;
  /** The cursor that this node stored last. Null: it has stored none, or another node may have stored since. */
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
      // The prober restarted meanwhile, so the evidence must be read again from the start.
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
    // The cursor moves only now. If a recall fails on a later page, it begins again with the first one.
    cursor = next;
    savedThrough = null;
    await options.recall(together(recalled), learning?.views ?? []);
  });

  /**
   * HLTH-11: one of the nodes stores the knowledge for all, since all nodes learn the same. It writes the views that
   * changed, and a node that takes over writes all of them. Nothing is stored in the middle of a look, because no
   * snapshot describes the knowledge there.
   */
  const save = coalesce(async (): Promise<void> => {
    const through = cursor?.page === null ? cursor.snapshot : null;
    if (through === null) return;
    const before = savedThrough;
    savedThrough = null;
    // Nothing is recorded between the read of the cursor and this call, so the knowledge matches the cursor.
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

/** The cursor that belongs to the stored knowledge. Null if none is known. */
function cursorOf(learning: StoredLearning | null): EvidenceCursor | null {
  const through = learning?.through ?? null;
  return through === null ? null : { snapshot: through, page: null };
}
