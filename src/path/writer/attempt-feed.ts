import { TUNING } from "../../domain/vocabulary/tuning.js";
import { coalesce } from "../../platform/timing/coalesce.js";
import { ATTEMPT_ID_BYTES, hasAttempt } from "../attempts/attempt-list.js";
import { ATTEMPT_KEY_BYTES } from "../attempts/attempt-store.js";
import type { Journal } from "../journal/journal.js";
import type { AttemptCursor, AttemptPage } from "./attempt-queries.js";
import { isDatabaseError } from "./database-error.js";

export interface AttemptFeedOptions {
  journal: Journal;
  /** Reads the attempts behind a cursor. Null reads all that limits look back on. */
  read(after: AttemptCursor | null): Promise<AttemptPage>;
  dropOld(): Promise<void>;
  /** RTRY-15: is told how many orders' attempts left before their time, because there was no room. */
  onForgotten(orders: number): void;
  /** Unix milliseconds. */
  now(): number;
}

/** The writer's work on attempts, beside its drain. */
export interface AttemptFeed {
  /** Resolves once this node has what all nodes have stored, or PostgreSQL is away. Then it follows them. */
  begin(): Promise<void>;
  /** Resolves once nothing uses PostgreSQL and the journal any more. */
  end(): Promise<void>;
}

interface Entry {
  key: Buffer;
  id: Buffer;
}

const ENTRY_BYTES = ATTEMPT_KEY_BYTES + ATTEMPT_ID_BYTES;
/** Decisions wait for the write lock meanwhile. */
const CHANGED_AT_ONCE_MAX = 500;

/**
 * RTRY-17: brings the attempts of all nodes into this node's journal, and lets old ones leave. An attempt of its own is
 * there already and takes no write lock. The position is stored with the attempts, so a restart goes on where it was.
 */
export function createAttemptFeed(options: AttemptFeedOptions): AttemptFeed {
  const { journal, read, dropOld, onForgotten, now } = options;
  let cursor: AttemptCursor | null | undefined;
  let timers: NodeJS.Timeout[] = [];
  const running = new Set<Promise<void>>();

  const missing = (entries: readonly Entry[]): Entry[] =>
    journal.reading(() => entries.filter(({ key, id }) => !hasAttempt(journal.attempts.find(key), id)));

  const store = (entries: readonly Entry[], next: AttemptCursor): void => {
    for (let at = 0; at < entries.length; at += CHANGED_AT_ONCE_MAX) {
      journal.transaction(() => {
        for (const { key, id } of entries.slice(at, at + CHANGED_AT_ONCE_MAX)) journal.attempts.add(key, id);
      });
    }
    journal.transaction(() => journal.attempts.moveCursor(JSON.stringify(next)));
  };

  const look = coalesce(async (): Promise<void> => {
    cursor ??= readCursor(journal);
    for (let isFull = true; isFull;) {
      const page: AttemptPage = await read(cursor);
      const entries = page.attempts.flatMap(entriesOf);
      // An idle node writes nothing. A position that is behind reads a little twice.
      if (entries.length > 0 || cursor === null) store(missing(entries), page.next);
      cursor = page.next;
      ({ isFull } = page);
    }
  });

  const sweep = async (): Promise<void> => {
    for (let looked = CHANGED_AT_ONCE_MAX; looked === CHANGED_AT_ONCE_MAX;) {
      const swept = journal.transaction(() => journal.attempts.sweep(now(), CHANGED_AT_ONCE_MAX));
      if (swept.forgotten > 0) onForgotten(swept.forgotten);
      looked = swept.looked;
      // Decisions take the lock between two goes.
      await new Promise(setImmediate);
    }
  };

  const every = (intervalMs: number, work: () => Promise<void>): NodeJS.Timeout =>
    setInterval(() => {
      const run = unlessRefused(work).finally(() => running.delete(run));
      running.add(run);
    }, intervalMs);

  return {
    async begin() {
      await unlessRefused(look);
      timers = [
        every(TUNING.attemptsIntervalMs, look),
        every(TUNING.attemptsSweepIntervalMs, sweep),
        every(TUNING.attemptsDropIntervalMs, dropOld),
      ];
    },
    async end() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}

/** The drain says that PostgreSQL is away or the disk is full. The next time does what is left. */
async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
  }
}

function readCursor(journal: Journal): AttemptCursor | null {
  const text = journal.reading(() => journal.attempts.cursor());
  return text === null ? null : (JSON.parse(text) as AttemptCursor);
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
