import type { Change, ChangeCursor, ChangePage, ChangePosition } from "./change-queries.js";
import { coalesce } from "../../platform/timing/coalesce.js";

export interface ChangeFeedOptions {
  /** Identifies the database and its history (readDatabaseSource). */
  source(): Promise<string>;
  /** Returns the database's current cursor. */
  now(source: string): Promise<ChangeCursor>;
  /** Returns whether every change after a cursor can still be read. */
  isGood(cursor: ChangeCursor): Promise<boolean>;
  read(cursor: ChangeCursor, target: ChangeCursor | null, after: ChangePosition | null): Promise<ChangePage>;
  /** Copies the records that `changes` name. */
  copy(changes: readonly Change[]): Promise<void>;
  /**
   * Starts to copy everything in the background, because the changes alone cannot bring the copies up to date.
   * `isFirst` is true before this process has followed for the first time: its copies may then be days old.
   */
  copyAll(isFirst: boolean): Promise<void>;
  /** The cursor that an earlier process stored. */
  held(): ChangeCursor | null;
  keep(cursor: ChangeCursor): void;
  /**
   * How often, in milliseconds, the database's history is checked, and how often the cursor is written if nothing
   * changes.
   */
  sourceIntervalMs: number;
  cursorIntervalMs: number;
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
}

export interface ChangeFeed {
  /** Resolves when every change that was committed before the call is copied. Rejects while PostgreSQL is away. */
  follow(): Promise<void>;
}

/**
 * Carries changes from PostgreSQL to this node's copies, record by record. The current version of a record is copied,
 * so reading a change twice or late does no harm.
 *
 * `follow` moves the feed between three states, and then reads every change after its cursor:
 *
 * | State | The cursor is good | The cursor is not good | PostgreSQL fails |
 * |---|---|---|---|
 * | `none`: there is no cursor | – | begins to copy everything, then `due` | `none`, or `due` if the copy has begun |
 * | `due`: the cursor must be checked | `checked` | begins to copy everything, then `due` | `due` |
 * | `checked`: `due` again after `sourceIntervalMs` | `checked`, without a check | – | `due` |
 *
 * A cursor is good if the database has the same history as the cursor and has dropped no change after it.
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

  /**
   * Returns the cursor. Null if there is none, if the database has another history now, or if changes after it were
   * dropped.
   */
  const goodCursor = async (): Promise<ChangeCursor | null> => {
    if (cursor === null) return null;
    if (options.nowMs() - sourceCheckedAtMs < options.sourceIntervalMs) return cursor;
    const isSame = cursor.source === (await options.source());
    if (!isSame || !(await options.isGood(cursor))) return null;
    sourceCheckedAtMs = options.nowMs();
    return cursor;
  };

  const copyEverything = async (): Promise<ChangeCursor> => {
    // Take the cursor before the first record is copied. Later reads then find every change that was made during the
    // copy.
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
      // When PostgreSQL comes back, it may be another server.
      sourceCheckedAtMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  });

  return { follow };
}
