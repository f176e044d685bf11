import { setTimeout as sleep } from "node:timers/promises";
import type { RecordKey } from "../persistence/copied-records.js";
import type { RecordCopy } from "./record-copy.js";

/** All records of a kind, a page at a time: those that this node holds, of which some may be gone, then those there are. */
async function* pagesOf(kind: RecordCopy, pageRows: number): AsyncGenerator<RecordKey[]> {
  for (const list of [kind.held, kind.stored]) {
    let after: RecordKey | null = null;
    for (;;) {
      const page: RecordKey[] = await list(after, pageRows);
      if (page.length > 0) yield page;
      if (page.length < pageRows) break;
      after = page.at(-1) as RecordKey;
    }
  }
}

export interface CopyAllOptions {
  pageRows: number;
  /** Runs `copy` when nothing else is being copied. */
  inTurn<T>(copy: () => Promise<T>): Promise<T>;
}

/** Compares every record of a kind, and copies what differs. Resolves to how many did. */
export async function copyAllOf(kind: RecordCopy, { pageRows, inTurn }: CopyAllOptions): Promise<number> {
  let differing = 0;
  for await (const page of pagesOf(kind, pageRows)) differing += await inTurn(() => kind.copy(page));
  return differing;
}

export interface ComparisonOptions extends CopyAllOptions {
  kinds: readonly RecordCopy[];
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
 * a mistake or a hand at the tables, is found in time. One record costs two look-ups, so the rate is the cost.
 */
export function compareInBackground(options: ComparisonOptions): { close(): void } {
  const { kinds, pageRows, recordsPerSecond, pauseMs, mayCompare, onDifferences, onError } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const wait = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  const round = async (): Promise<void> => {
    for (const kind of kinds) {
      for await (const page of pagesOf(kind, pageRows)) {
        while (!mayCompare() && !signal.aborted) await wait(pauseMs);
        if (signal.aborted) return;
        const differing = await options.inTurn(() => kind.copy(page));
        if (differing > 0) onDifferences(differing);
        await wait((1000 * page.length) / recordsPerSecond);
      }
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await wait(pauseMs);
      if (signal.aborted || !mayCompare()) continue;
      // Where PostgreSQL goes away in the middle, the next round begins anew.
      await round().catch(onError);
    }
  };
  void run();
  return { close: () => closing.abort() };
}
