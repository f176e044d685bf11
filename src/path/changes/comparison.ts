import { setTimeout as sleep } from "node:timers/promises";
import { pagesOf } from "./copy-pages.js";
import type { RecordCopy } from "./record-copy.js";

export interface ComparisonOptions {
  kinds: readonly RecordCopy[];
  pageRows: number;
  /** Runs `copy` when nothing else is being copied. */
  inTurn<T>(copy: () => Promise<T>): Promise<T>;
  recordsPerSecond: number;
  /** Between two rounds. */
  pauseMs: number;
  /** False while it would be in vain, or in the way. */
  mayCompare(): boolean;
  /** Records that no change had told of. */
  onDifferences(count: number): void;
  onError(error: unknown): void;
}

/**
 * Goes on comparing everything in the background, so many records a second whatever there is: what no change told of, by
 * a mistake or a hand at the tables, is found in time. A record costs the same few look-ups, so the rate is the cost.
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
        // The next round begins anew.
        if (!signal.aborted) onError(error);
      }
    }
  };
  void run();
  return { close: () => closing.abort() };
}
