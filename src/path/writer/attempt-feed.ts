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
  /** Names the database and its history (platform/postgres/database-source.ts). */
  source(): Promise<string>;
  /** Reads the attempts behind a cursor. Null reads all that limits look back on. */
  read(after: AttemptCursor | null): Promise<AttemptPage>;
  dropOld(): Promise<void>;
  /** RTRY-15: called with the number of orders whose attempts were deleted early for lack of room. */
  onForgotten(orders: number): void;
  /** Unix milliseconds. */
  now(): number;
}

/** The writer's work on attempts, beside its drain. */
export interface AttemptFeed {
  /**
   * Follows all nodes from now on. Resolves once this node has their stored attempts, if PostgreSQL is away, or after
   * `attemptsPatienceMs` without an answer.
   */
  begin(): Promise<void>;
  /** Resolves once nothing uses PostgreSQL and the journal any more. */
  end(): Promise<void>;
}

/**
 * The position up to which this node has read. `source` names the database and its history, because a cursor is not
 * valid in another database or after a restore.
 */
interface Position {
  source: string;
  /** Null before anything was read. */
  cursor: AttemptCursor | null;
}

interface Entry {
  key: Buffer;
  id: Buffer;
}

const ENTRY_BYTES = ATTEMPT_KEY_BYTES + ATTEMPT_ID_BYTES;
/** Decisions wait for the write lock meanwhile. */
const CHANGED_AT_ONCE_MAX = 500;

/**
 * RTRY-17: copies the attempts of all nodes into this node's journal, and deletes old ones. The node's own attempts are
 * there already and take no write lock. The position is stored with the attempts, so a restart continues there. After a
 * restore or a fail-over all attempts are read again, and each counts once.
 */
export function createAttemptFeed(options: AttemptFeedOptions): AttemptFeed {
  const { journal, read, dropOld } = options;
  /** Null until the database is identified. */
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

  /** Reads page by page. Returns the position after the last one. */
  const readFrom = async (before: Position): Promise<Position> => {
    const page = await read(before.cursor);
    pages++;
    const entries = page.attempts.flatMap(entriesOf);
    const next: Position = { source: before.source, cursor: page.next };
    // An idle node writes nothing. A position that is behind reads a little twice.
    if (entries.length > 0 || before.cursor === null) store(missing(entries), next);
    return page.isFull ? readFrom(next) : next;
  };
  const look = coalesce(async (): Promise<void> => {
    const from = position ?? (await findPosition());
    // After a failure the connection may lead to another database.
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

/** Deletes old attempts, a few at a time. */
async function sweepAll({ journal, now, onForgotten }: AttemptFeedOptions): Promise<void> {
  for (let looked = CHANGED_AT_ONCE_MAX; looked === CHANGED_AT_ONCE_MAX;) {
    const swept = journal.transaction(() => journal.attempts.sweep(now(), CHANGED_AT_ONCE_MAX));
    if (swept.forgotten > 0) onForgotten(swept.forgotten);
    looked = swept.looked;
    // Decisions can take the lock between two rounds.
    await new Promise(setImmediate);
  }
}

/** The drain reports that PostgreSQL is away or the disk is full. The next run does the rest. */
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
