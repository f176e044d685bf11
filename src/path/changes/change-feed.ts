import type { Change, ChangeCursor, ChangePage, ChangePosition } from "./change-queries.js";
import { coalesce } from "../../platform/timing/coalesce.js";

export interface ChangeFeedOptions {
  /** Names the database and its present history. */
  source(): Promise<string>;
  /** The cursor of this moment. */
  now(source: string): Promise<ChangeCursor>;
  /** Returns whether every change since a cursor can still be read. */
  isGood(cursor: ChangeCursor): Promise<boolean>;
  read(cursor: ChangeCursor, target: ChangeCursor | null, after: ChangePosition | null): Promise<ChangePage>;
  /** Copies the records that these changes name. */
  copy(changes: readonly Change[]): Promise<void>;
  /**
   * Starts to copy everything in the background, because changes cannot bring the copies up to date. `isFirst` is true
   * if this process has not followed yet: its copies may then be days old.
   */
  copyAll(isFirst: boolean): Promise<void>;
  /** The cursor that an earlier run kept. */
  held(): ChangeCursor | null;
  keep(cursor: ChangeCursor): void;
  /**
   * The intervals, in milliseconds, of the checks of the history, and of the writes of the cursor while nothing
   * changes.
   */
  sourceIntervalMs: number;
  cursorIntervalMs: number;
  /** Milliseconds of a clock that never steps back. */
  nowMs(): number;
}

export interface ChangeFeed {
  /** Resolves once every change that was committed before the call is copied. Rejects while PostgreSQL is away. */
  follow(): Promise<void>;
}

/**
 * Carries changes from PostgreSQL to this node's copies, record by record. A record is loaded as it is now, so a change
 * that is read twice or late does no harm.
 *
 * `follow` moves the feed between three states, and then reads every change after its cursor:
 *
 * | State | The cursor is good | The cursor is not good | PostgreSQL fails |
 * |---|---|---|---|
 * | `none`: there is no cursor | – | begins to copy everything, then `due` | `none`, or `due` once the copy has begun |
 * | `due`: the cursor is to be checked | `checked` | begins to copy everything, then `due` | `due` |
 * | `checked`: `due` again after `sourceIntervalMs` | `checked`, unasked | – | `due` |
 *
 * A cursor is good if the database has the same history and has dropped no change after the cursor.
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

  /** Null if the cursor is missing, belongs to another history, or if changes after it were dropped. */
  const goodCursor = async (): Promise<ChangeCursor | null> => {
    if (cursor === null) return null;
    if (options.nowMs() - sourceCheckedAtMs < options.sourceIntervalMs) return cursor;
    const isSame = cursor.source === (await options.source());
    if (!isSame || !(await options.isGood(cursor))) return null;
    sourceCheckedAtMs = options.nowMs();
    return cursor;
  };

  const copyEverything = async (): Promise<ChangeCursor> => {
    // The cursor is taken before the first record is copied. Later reads then find every change that was made during
    // the copy.
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
      // PostgreSQL may be another server after it comes back.
      sourceCheckedAtMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  });

  return { follow };
}
