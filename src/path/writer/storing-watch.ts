export interface StoringWatchOptions {
  stalledAfterMs: number;
  databaseIsReachable(): boolean;
  /** The newest record that this node has acknowledged. */
  committedSequence(): number;
  /** Monotonic milliseconds. */
  now(): number;
}

/** Detects that PostgreSQL answers but stores none of the waiting records (OPS-5). */
export interface StoringWatch {
  /**
   * Call this with the writer's status: PostgreSQL's position, negative if it is unknown, and the number of waiting
   * records.
   */
  note(status: { position: number; depthRecords: number }): void;
  /** Call this a few times a second, even if the writer sends no status. */
  look(): void;
  isStalled(): boolean;
}

/** Measures how long records have waited while PostgreSQL answers. Each stored record restarts the measurement. */
export function watchStoring(options: StoringWatchOptions): StoringWatch {
  const { stalledAfterMs, databaseIsReachable, committedSequence, now } = options;
  /** The highest position received. It is kept here, because a writer that fails no longer knows its position. */
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
