export interface StoringWatchOptions {
  stalledAfterMs: number;
  databaseIsReachable(): boolean;
  /** The newest record that this node has acknowledged. */
  committedSequence(): number;
  /** Monotonic milliseconds. */
  now(): number;
}

/** Whether PostgreSQL answers and yet nothing of what waits for it is stored (OPS-5). */
export interface StoringWatch {
  /** What the writer tells: the position that PostgreSQL holds, below 0 where it is not known, and what is left. */
  note(status: { position: number; depthRecords: number }): void;
  /** To be called a few times a second, also while the writer tells nothing. */
  look(): void;
  isStalled(): boolean;
}

/** The time counts while something waits and PostgreSQL answers; each record that is stored begins it anew. */
export function watchStoring(options: StoringWatchOptions): StoringWatch {
  const { stalledAfterMs, databaseIsReachable, committedSequence, now } = options;
  /** The highest position told; a writer that fails forgets its own. */
  let stored = -1;
  let isLeft = false;
  let sinceMs: number | null = null;
  const look = (): void => {
    const waits = isLeft || (stored >= 0 && committedSequence() > stored);
    if (!waits) sinceMs = null;
    else if (!databaseIsReachable()) sinceMs = now();
    else sinceMs ??= now();
  };
  return {
    note({ position, depthRecords }) {
      isLeft = depthRecords > 0;
      if (position > stored) {
        stored = position;
        sinceMs = null;
      }
      look();
    },
    look,
    isStalled: () => sinceMs !== null && databaseIsReachable() && now() - sinceMs >= stalledAfterMs,
  };
}
