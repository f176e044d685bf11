import { setTimeout as sleep } from "node:timers/promises";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { coalesce } from "../../platform/timing/coalesce.js";
import { ATTEMPT_ID_BYTES, hasAttempt } from "../attempts/attempt-list.js";
import { ATTEMPT_KEY_BYTES } from "../attempts/attempt-store.js";
import type { Journal } from "../journal/journal.js";
import type { AttemptCursor, AttemptPage } from "./attempt-queries.js";
import { isDatabaseError } from "./database-error.js";

export interface AttemptFeedOptions {
  journal: Journal;
  /** Identifies the database and its history (platform/postgres/database-source.ts). */
  source(): Promise<string>;
  /** Reads the attempts after a cursor. Null reads all attempts that limits look back on. */
  read(after: AttemptCursor | null): Promise<AttemptPage>;
  dropOld(): Promise<void>;
  /** RTRY-15: called with the number of orders whose attempts were deleted early for lack of room. */
  onForgotten(orders: number): void;
  /** Unix milliseconds. */
  now(): number;
}

/** The writer thread's work on attempts, apart from its drain. */
export interface AttemptFeed {
  /**
   * Starts to follow all nodes. Resolves when this node has their stored attempts, when PostgreSQL turns out to be
   * away, or after `attemptsPatienceMs` without another page.
   */
  begin(): Promise<void>;
  /** Resolves when the feed no longer uses PostgreSQL or the journal. */
  end(): Promise<void>;
}

/**
 * The position up to which this node has read. `source` identifies the database and its history, because a cursor is
 * not valid in another database or after a restore.
 */
interface Position {
  source: string;
  /** Null if nothing was read yet. */
  cursor: AttemptCursor | null;
}

interface Entry {
  key: Buffer;
  id: Buffer;
}

const ENTRY_BYTES = ATTEMPT_KEY_BYTES + ATTEMPT_ID_BYTES;
/** The most keys changed in one transaction, because decisions wait for its write lock. */
const CHANGED_AT_ONCE_MAX = 500;

/**
 * RTRY-17: copies the attempts of all nodes into this node's journal, and deletes old attempts. The node's own attempts
 * are already there, and are not written again. The position is stored after the attempts, so a restarted node
 * continues there. After a restore or a fail-over all attempts are read again. A known attempt is not counted again.
 */
export function createAttemptFeed(options: AttemptFeedOptions): AttemptFeed {
  const { journal, read, dropOld } = options;
  /** Null until the database has been identified. */
  let position: Position | null = null;
  let pages = 0;
  let timers: NodeJS.Timeout[] = [];
  const running = new Set<Promise<void>>();

  const missing = (entries: readonly Entry[]): Entry[] =>
    journal.reading(() => entries.filter(({ key, id }) => !hasAttempt(journal.attempts.find(key), id)));

  const store = (entries: readonly Entry[], next: Position): void => {
    for (let at = 0; at < entries.length; at += CHANGED_AT_ONCE_MAX) {
      journal.transaction(() => {
        for (const { key, id } of entries.slice(at, at + CHANGED_AT_ONCE_MAX)) journal.attempts.add(key, id);
      });
    }
    journal.transaction(() => journal.attempts.movePosition(JSON.stringify(next)));
  };

  const findPosition = async (): Promise<Position> => {
    const source = await options.source();
    const stored = readPosition(journal);
    return stored?.source === source ? stored : { source, cursor: null };
  };

  /** Reads page by page. Returns the position after the last page. */
  const readFrom = async (before: Position): Promise<Position> => {
    const page = await read(before.cursor);
    pages++;
    const entries = page.attempts.flatMap(entriesOf);
    const next: Position = { source: before.source, cursor: page.next };
    // An idle node writes nothing. If the stored position is too old, a restart only reads some attempts twice.
    if (entries.length > 0 || before.cursor === null) store(missing(entries), next);
    return page.isFull ? readFrom(next) : next;
  };
  const look = coalesce(async (): Promise<void> => {
    const from = position ?? (await findPosition());
    // Null until the read has succeeded, because after a failure the connection may lead to another database.
    position = null;
    position = await readFrom(from);
  });

  const sweep = (): Promise<void> => sweepAll(options);
  const start = (work: () => Promise<void>): Promise<void> => {
    const run = unlessRefused(work).finally(() => running.delete(run));
    running.add(run);
    return run;
  };
  const every = (intervalMs: number, work: () => Promise<void>): NodeJS.Timeout =>
    setInterval(() => void start(work), intervalMs);

  return {
    async begin() {
      const first = start(look).then(() => true);
      timers = [
        every(TUNING.attemptsIntervalMs, look),
        every(TUNING.attemptsSweepIntervalMs, sweep),
        every(TUNING.attemptsDropIntervalMs, dropOld),
      ];
      for (let seen = -1; seen < pages;) {
        seen = pages;
        const patience = sleep(TUNING.attemptsPatienceMs, false, { ref: false });
        if (await Promise.race([first, patience])) return;
      }
    },
    async end() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}

/** Deletes old attempts, a few keys per transaction. */
async function sweepAll({ journal, now, onForgotten }: AttemptFeedOptions): Promise<void> {
  for (let looked = CHANGED_AT_ONCE_MAX; looked === CHANGED_AT_ONCE_MAX;) {
    const swept = journal.transaction(() => journal.attempts.sweep(now(), CHANGED_AT_ONCE_MAX));
    if (swept.forgotten > 0) onForgotten(swept.forgotten);
    looked = swept.looked;
    // Lets decisions take the write lock between two rounds.
    await new Promise(setImmediate);
  }
}

/** Ignores failures of PostgreSQL and the disk, which the drain reports. The next run repeats the work. */
async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
  }
}

function readPosition(journal: Journal): Position | null {
  const text = journal.reading(() => journal.attempts.position());
  return text === null ? null : (JSON.parse(text) as Position);
}

function entriesOf(attempts: Buffer): Entry[] {
  return Array.from({ length: Math.floor(attempts.length / ENTRY_BYTES) }, (_, at) => {
    const start = at * ENTRY_BYTES;
    return {
      key: attempts.subarray(start, start + ATTEMPT_KEY_BYTES),
      id: attempts.subarray(start + ATTEMPT_KEY_BYTES, start + ENTRY_BYTES),
    };
  });
}
