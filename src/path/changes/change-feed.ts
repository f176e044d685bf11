import type { Change, ChangeCursor, ChangePage, ChangePosition } from "./change-queries.js";
import { coalesce } from "../../platform/timing/coalesce.js";

export interface ChangeFeedOptions {
  /** The name of the database's present history. */
  source(): Promise<string>;
  /** Where the feed stands now. */
  now(source: string): Promise<ChangeCursor>;
  /** Whether every change since a cursor can still be read. */
  isGood(cursor: ChangeCursor): Promise<boolean>;
  read(cursor: ChangeCursor, target: ChangeCursor | null, after: ChangePosition | null): Promise<ChangePage>;
  /** Copies the records that these changes are of. */
  copy(changes: readonly Change[]): Promise<void>;
  /**
   * What is held cannot be mended by changes: everything has to be copied, in the background. `isFirst`: this process has
   * not followed yet, so that what it holds may be days old.
   */
  copyAll(isFirst: boolean): Promise<void>;
  /** What an earlier run kept. */
  held(): ChangeCursor | null;
  keep(cursor: ChangeCursor): void;
  /** How often the history is asked for, and the cursor is kept where nothing changes; milliseconds. */
  sourceIntervalMs: number;
  cursorIntervalMs: number;
  /** Milliseconds of a clock that never steps back. */
  nowMs(): number;
}

export interface ChangeFeed {
  /** Resolves once every change is copied that was committed before the call. Rejects while PostgreSQL is away. */
  follow(): Promise<void>;
}

/**
 * Carries changes from PostgreSQL to this node's copies, each record by itself. A record is loaded as it is now, so that
 * a change which is told twice or late harms nothing.
 */
export function createChangeFeed(options: ChangeFeedOptions): ChangeFeed {
  let cursor = options.held();
  let hasFollowed = false;
  let sourceCheckedAtMs = Number.NEGATIVE_INFINITY;
  let keptAtMs = Number.NEGATIVE_INFINITY;

  const keep = (next: ChangeCursor): void => {
    cursor = next;
    keptAtMs = options.nowMs();
    options.keep(next);
  };

  /** Null where changes cannot be told: nothing is known, it is another database's, or what followed was dropped. */
  const goodCursor = async (): Promise<ChangeCursor | null> => {
    if (cursor === null) return null;
    if (options.nowMs() - sourceCheckedAtMs < options.sourceIntervalMs) return cursor;
    const isSame = cursor.source === (await options.source());
    if (!isSame || !(await options.isGood(cursor))) return null;
    sourceCheckedAtMs = options.nowMs();
    return cursor;
  };

  const copyEverything = async (): Promise<ChangeCursor> => {
    // Before the first record is looked at: what changes meanwhile is told.
    const start = await options.now(await options.source());
    await options.copyAll(!hasFollowed);
    keep(start);
    return start;
  };

  const readChanges = async (from: ChangeCursor): Promise<void> => {
    let target: ChangeCursor | null = null;
    let after: ChangePosition | null = null;
    let changed = false;
    do {
      const page: ChangePage = await options.read(from, target, after);
      if (page.changes.length > 0) await options.copy(page.changes);
      changed ||= page.changes.length > 0;
      target = page.cursor;
      after = page.after;
    } while (after !== null);
    if (changed || options.nowMs() - keptAtMs >= options.cursorIntervalMs) keep(target);
    else cursor = target;
  };

  const follow = coalesce(async (): Promise<void> => {
    try {
      await readChanges((await goodCursor()) ?? (await copyEverything()));
      hasFollowed = true;
    } catch (error) {
      // PostgreSQL may come back as another server.
      sourceCheckedAtMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  });

  return { follow };
}
