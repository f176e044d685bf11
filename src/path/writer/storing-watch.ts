export interface StoringWatchOptions {
  stalledAfterMs: number;
  databaseIsReachable(): boolean;
  /** The newest record that this node has acknowledged. */
  committedSequence(): number;
  /** Monotonic milliseconds. */
  now(): number;
}

/** Detects that PostgreSQL answers and yet stores none of the waiting records (OPS-5). */
export interface StoringWatch {
  /**
   * Takes the writer's status: PostgreSQL's position, below 0 if it is not known, and the number of waiting records.
   */
  note(status: { position: number; depthRecords: number }): void;
  /** Called a few times a second, even while the writer sends no status. */
  look(): void;
  isStalled(): boolean;
}

/** The time runs while records wait and PostgreSQL answers. Each stored record restarts it. */
export function watchStoring(options: StoringWatchOptions): StoringWatch {
  const { stalledAfterMs, databaseIsReachable, committedSequence, now } = options;
  /** The highest position received; a writer that fails forgets its own. */
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
