import { setTimeout as sleep } from "node:timers/promises";
import { pagesOf } from "./copy-pages.js";
import type { RecordCopy } from "./record-copy.js";

export interface ComparisonOptions {
  kinds: readonly RecordCopy[];
  pageRows: number;
  /** Runs `copy` when no other copy is running. */
  inTurn<T>(copy: () => Promise<T>): Promise<T>;
  recordsPerSecond: number;
  /** The pause between two rounds. */
  pauseMs: number;
  /** False if a comparison would find nothing useful or would delay other copies. */
  mayCompare(): boolean;
  /** Called with the number of records that differed although no change named them. */
  onDifferences(count: number): void;
  onError(error: unknown): void;
}

/**
 * Compares all records in the background, again and again, at a fixed rate. The comparison finds records that differ
 * although no change named them, for example after a manual edit of the tables. Each record costs the same few
 * look-ups, so the rate bounds the cost.
 */
export function compareInBackground(options: ComparisonOptions): { close(): void } {
  const { kinds, pageRows, recordsPerSecond, pauseMs, mayCompare, onDifferences, onError } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const wait = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  const round = async (): Promise<void> => {
    for (const kind of kinds) {
      for await (const { records } of pagesOf(kind, pageRows)) {
        while (!mayCompare() && !signal.aborted) await wait(pauseMs);
        if (signal.aborted) return;
        const differing = await options.inTurn(() => kind.copy(records));
        if (differing > 0) onDifferences(differing);
        await wait((1000 * records.length) / recordsPerSecond);
      }
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await wait(pauseMs);
      if (signal.aborted || !mayCompare()) continue;
      try {
        await round();
      } catch (error) {
        // The next round begins with the first record.
        if (!signal.aborted) onError(error);
      }
    }
  };
  void run();
  return { close: () => closing.abort() };
}
