import { setTimeout as sleep } from "node:timers/promises";
import type { RecordKey } from "./copied-records.js";
import { pagesOf, type CopyPlace } from "./copy-pages.js";
import type { RecordCopy } from "./record-copy.js";

export interface FullCopyOptions<Kind extends string> {
  /** The kinds, in the order in which they are copied. */
  kinds: Readonly<Record<Kind, RecordCopy>>;
  pageRows: number;
  /** Runs `copy` when no other copy is running. */
  inTurn<T>(copy: () => Promise<T>): Promise<T>;
  /** The progress that an earlier process stored. Null if it has left no unfinished copy. */
  held(): FullCopyProgress<Kind> | null;
  /** Stores the progress. Null means that everything is copied. */
  keep(progress: FullCopyProgress<Kind> | null): void;
  onCopying(isCopying: boolean): void;
  /** True while requests need the processor. The copy then works only half of the time. */
  isBusy(): boolean;
  /** The delay between two attempts while PostgreSQL is away. */
  retryMs: number;
  onError(error: unknown): void;
}

export interface FullCopyProgress<Kind extends string> {
  kind: Kind;
  place: CopyPlace;
}

export interface FullCopy<Kind extends string> {
  /** Starts with the first record, even if records were copied before. */
  begin(): void;
  /** Continues from the progress of an earlier process. Does nothing if there is none. */
  resume(): void;
  /** Returns whether records of `kind`, or of any kind, may be missing or old. */
  isCopying(kind?: Kind): boolean;
  /** Resolves when everything is copied, or when this is closed. */
  done(): Promise<void>;
  close(): void;
}

/**
 * Copies everything in the background, kind by kind and page by page. While the node serves requests, the copy works
 * only half of the time. A restarted node continues where it stopped, because the change feed covers what is already
 * copied.
 */
export function createFullCopy<Kind extends string>(options: FullCopyOptions<Kind>): FullCopy<Kind> {
  const kinds = Object.keys(options.kinds) as Kind[];
  const closing = new AbortController();
  const { signal } = closing;
  let progress = options.held();
  options.onCopying(progress !== null);
  /** Counts the calls of `begin`. A run of an earlier generation stops. */
  let generation = 0;
  let running: Promise<void> | null = null;

  const wait = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
  const keep = (next: FullCopyProgress<Kind> | null): void => {
    progress = next;
    options.keep(next);
    options.onCopying(next !== null);
  };

  const copyPage = async (kind: Kind, page: readonly RecordKey[]): Promise<void> => {
    const begunMs = performance.now();
    await options.inTurn(() => options.kinds[kind].copy(page));
    if (options.isBusy()) await wait(performance.now() - begunMs);
  };

  /** Copies from a position to the end. Rejects while PostgreSQL is away. */
  const copyFrom = async (from: FullCopyProgress<Kind>, isCurrent: () => boolean): Promise<void> => {
    for (const kind of kinds.slice(kinds.indexOf(from.kind))) {
      const place = kind === from.kind ? from.place : null;
      for await (const page of pagesOf(options.kinds[kind], options.pageRows, place)) {
        if (!isCurrent()) return;
        await copyPage(kind, page.records);
        if (!isCurrent()) return;
        keep({ kind, place: page.place });
      }
    }
    if (isCurrent()) keep(null);
  };

  const run = async (): Promise<void> => {
    const ownGeneration = ++generation;
    const isCurrent = (): boolean => ownGeneration === generation && !signal.aborted;
    let isErrorReported = false;
    while (progress !== null && isCurrent()) {
      try {
        await copyFrom(progress, isCurrent);
      } catch (error) {
        if (!isCurrent()) return;
        if (!isErrorReported) options.onError(error);
        isErrorReported = true;
        await wait(options.retryMs);
      }
    }
  };

  return {
    begin() {
      keep({ kind: kinds[0] as Kind, place: null });
      running = run();
    },
    resume() {
      if (progress !== null) running ??= run();
    },
    isCopying: (kind) =>
      progress !== null && (kind === undefined || kinds.indexOf(progress.kind) <= kinds.indexOf(kind)),
    done: () => running ?? Promise.resolve(),
    close: () => closing.abort(),
  };
}
