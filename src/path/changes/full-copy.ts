import { setTimeout as sleep } from "node:timers/promises";
import type { RecordKey } from "./copied-records.js";
import { pagesOf, type CopyPlace } from "./copy-pages.js";
import type { RecordCopy } from "./record-copy.js";

export interface FullCopyOptions<Kind extends string> {
  /** The kinds, in the order in which they are copied. */
  kinds: Readonly<Record<Kind, RecordCopy>>;
  pageRows: number;
  /** Runs `copy` when nothing else is being copied. */
  inTurn<T>(copy: () => Promise<T>): Promise<T>;
  /** The progress of an earlier run. Null if that run had copied everything. */
  held(): FullCopyProgress<Kind> | null;
  /** Stores the progress. Null means that everything is copied. */
  keep(progress: FullCopyProgress<Kind> | null): void;
  onCopying(isCopying: boolean): void;
  /** True while requests need the processor: the copy then leaves them half of it. */
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
  /** Begins with the first record, even if records were copied before. */
  begin(): void;
  /** Continues from the progress of an earlier run. Does nothing if that run had copied everything. */
  resume(): void;
  /** Returns whether records of a kind may be missing or old. */
  isCopying(kind?: Kind): boolean;
  /** Resolves once everything is copied, or this is closed. */
  done(): Promise<void>;
  close(): void;
}

/**
 * Copies everything in the background, kind by kind and page by page. A node that serves requests meanwhile copies for
 * half of the time. A stopped node resumes at its progress, because the change feed covers the part that is already
 * copied.
 */
export function createFullCopy<Kind extends string>(options: FullCopyOptions<Kind>): FullCopy<Kind> {
  const kinds = Object.keys(options.kinds) as Kind[];
  const closing = new AbortController();
  const { signal } = closing;
  let progress = options.held();
  options.onCopying(progress !== null);
  /** Counts the beginnings: a run of an earlier generation ends. */
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

  /** Rejects while PostgreSQL is away. */
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
