import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { open, type Database, type RootDatabase } from "lmdb";
import { createAttemptStore, type AttemptStore } from "../attempts/attempt-store.js";
import { createReplyStore, type ReplyStore } from "../idempotency/reply-store.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { createDiskRoomCheck } from "../../platform/node/disk-room.js";

/**
 * The durable mailbox between the decide workers and the writer: an LMDB environment under DATA_DIR/journal. After kill
 * -9, the next process sees every commit, with or without fsync. An fsync only protects against loss of power. The
 * writer runs an fsync each second. With JOURNAL_SYNC=always, each commit runs one.
 */
export interface JournalOptions {
  dataDir: string;
  /**
   * JOURNAL_MAX_BYTES: the most bytes of entries that are not drained yet. Idempotent replies and attempts have limits
   * of their own.
   */
  bytesMax: number;
  /** JOURNAL_SYNC=always: a commit returns only when it is on the disk. */
  syncEveryCommit: boolean;
}

export interface JournalStats {
  entries: number;
  /** The bytes of the pages with entries that are not drained yet. */
  bytes: number;
}

export interface JournalEntry {
  /** The sequence of the batch's last record. */
  sequence: number;
  /** The batch's bytes. The next `readAfter` of the same journal object overwrites them. */
  batch: Buffer;
}

export interface Journal {
  replies: ReplyStore;
  attempts: AttemptStore;
  /**
   * Runs `write` under LMDB's write lock, which all threads and processes share. Everything is committed, or nothing.
   * Like every writing call, it throws DiskUnwritableError when the disk is nearly full or read-only.
   */
  transaction<T>(write: () => T): T;
  /**
   * Inside a transaction: appends a batch of `records` and returns the sequence of its last record. The records of all
   * threads are numbered from 1 in commit order, without a gap. The difference of two sequences is therefore a number
   * of records.
   */
  append(batch: Buffer, records: number): number;
  /**
   * Returns the entries after `sequence`, the oldest first, up to `bytesMax` and `recordsMax`. If there are entries, it
   * returns at least one, whatever its size.
   */
  readAfter(sequence: number, bytesMax: number, recordsMax?: number): JournalEntry[];
  /**
   * Returns the first entry after `sequence`. Its batch is a copy of only the first bytes, which contain count and
   * time.
   */
  oldestAfter(sequence: number): JournalEntry | null;
  /**
   * Runs `look` on the newest committed state, and then releases that state. LMDB cannot reuse pages of a state that a
   * thread still holds, and a thread that sleeps in `Atomics.wait` would hold it while it sleeps.
   */
  reading<T>(look: () => T): T;
  /**
   * Inside `reading`: returns the first entry after `sequence`, with its whole batch. Use it only until the next call
   * of this journal object.
   */
  entryAfter(sequence: number): JournalEntry | null;
  /** Restores batches that this disk has lost. New sequences continue after `through`, the node's last record. */
  restore(entries: readonly JournalEntry[], through: number): void;
  /** Deletes the entries up to and including `sequence`. Call it after PostgreSQL has stored them. */
  removeThrough(sequence: number): void;
  lastSequence(): number;
  stats(): JournalStats;
  /** Resolves when everything committed so far is on the physical disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

const BATCH_HEAD_BYTES = 16;
const LAST_SEQUENCE = "last_sequence";
/**
 * Address space beyond the limits, for LMDB's own pages and for entries that arrive before a limit is noticed. Without
 * it, a full environment could not even commit a deletion.
 */
const MAP_SLACK_BYTES = 2 ** 30;
const MAP_BESIDE_BYTES = TUNING.idempotentReplyBytesMax + TUNING.retryAttemptsBytesMax + MAP_SLACK_BYTES;
/** Keys and values are bytes. */
const BINARY = { encoding: "binary", keyEncoding: "binary" } as const;
const ARENA_BYTES_MIN = 256 * 1024;
/**
 * Larger than LMDB's default: a batch takes many pages, and LMDB's list of free pages costs by their number. Not
 * larger, because a reply takes one page, which is copied as a whole.
 */
const PAGE_BYTES = 8192;

export function openJournal(options: JournalOptions): Journal {
  const path = join(options.dataDir, "journal");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const env: RootDatabase = open({
    path,
    maxDbs: 8,
    pageSize: PAGE_BYTES,
    mapSize: options.bytesMax + MAP_BESIDE_BYTES,
    noSync: !options.syncEveryCommit,
    overlappingSync: false,
    // More than enough, as each thread takes one reader slot. When LMDB opens, it clears the slots of killed processes.
    maxReaders: 512,
  });
  const batches: Database<Buffer, number> = env.openDB({ name: "batches", encoding: "binary" });
  const meta: Database<number, string> = env.openDB({ name: "meta", encoding: "json" });
  const replyPlaces: Database<Buffer, Buffer> = env.openDB({ name: "reply_places", ...BINARY });
  const replyBatches: Database<Buffer, number> = env.openDB({ name: "reply_batches", encoding: "binary" });
  const replies = createReplyStore({
    places: replyPlaces,
    batches: replyBatches,
    isOverfull: () =>
      readStats(replyPlaces).bytes + readStats(replyBatches).bytes > TUNING.idempotentReplyBytesMax,
  });
  const reading = <T>(look: () => T): T => {
    env.resetReadTxn();
    try {
      return look();
    } finally {
      env.resetReadTxn();
    }
  };
  const assertRoom = createDiskRoomCheck(path);
  /** The memory of the batches that the last `readAfter` returned. */
  let arena: Buffer = Buffer.alloc(0);
  const entryAfter = (sequence: number): JournalEntry | null => {
    for (const key of batches.getKeys({ start: sequence + 1, limit: 1 })) {
      return { sequence: key, batch: exactly(batches.getBinaryFast(key) as Uint8Array) };
    }
    return null;
  };
  const transaction = <T>(write: () => T): T => {
    assertRoom();
    return env.transactionSync(write);
  };
  return {
    replies,
    attempts: openAttempts(env),
    transaction,
    append(batch, records) {
      const sequence = (meta.get(LAST_SEQUENCE) ?? 0) + records;
      meta.putSync(LAST_SEQUENCE, sequence);
      batches.putSync(sequence, batch);
      return sequence;
    },
    readAfter: (sequence, bytesMax, recordsMax = Number.POSITIVE_INFINITY) =>
      reading(() => {
        const entries: JournalEntry[] = [];
        let end = 0;
        for (const key of batches.getKeys({ start: sequence + 1 })) {
          if (entries.length > 0 && key - sequence > recordsMax) break;
          // The entries are copied into memory that is reused. A new buffer for each entry would be memory outside V8's
          // heap, and V8 would run a full collection every few hundred entries.
          const value = exactly(batches.getBinaryFast(key) as Uint8Array);
          if (entries.length > 0 && end + value.length > bytesMax) break;
          arena = withRoom(arena, end + value.length, entries);
          arena.set(value, end);
          entries.push({ sequence: key, batch: arena.subarray(end, end + value.length) });
          end += value.length;
        }
        return entries;
      }),
    oldestAfter: (sequence) =>
      reading(() => {
        const entry = entryAfter(sequence);
        return entry === null
          ? null
          : { sequence: entry.sequence, batch: Buffer.from(entry.batch.subarray(0, BATCH_HEAD_BYTES)) };
      }),
    reading,
    entryAfter,
    restore(entries, through) {
      transaction(() => {
        for (const { sequence, batch } of entries) batches.putSync(sequence, batch);
        meta.putSync(LAST_SEQUENCE, Math.max(meta.get(LAST_SEQUENCE) ?? 0, through));
      });
    },
    removeThrough(sequence) {
      transaction(() => {
        for (const key of Array.from(batches.getKeys({ end: sequence + 1 }))) batches.removeSync(key);
      });
    },
    lastSequence: () => reading(() => meta.get(LAST_SEQUENCE) ?? 0),
    stats: () => reading(() => readStats(batches)),
    sync: () => syncNow(env as SyncableEnvironment),
    close: () => env.close(),
  };
}

function openAttempts(env: RootDatabase): AttemptStore {
  const lists: Database<Buffer, Buffer> = env.openDB({ name: "attempt_lists", ...BINARY });
  const days: Database<Buffer, Buffer> = env.openDB({ name: "attempt_days", ...BINARY });
  return createAttemptStore({
    lists,
    days,
    meta: env.openDB({ name: "attempt_meta", encoding: "json" }),
    isOverfull: () => readStats(lists).bytes + readStats(days).bytes > TUNING.retryAttemptsBytesMax,
  });
}

/**
 * Returns `arena` if it is large enough. Otherwise returns a larger copy, and makes the entries point into the copy.
 */
function withRoom(arena: Buffer, bytes: number, entries: readonly JournalEntry[]): Buffer {
  if (bytes <= arena.length) return arena;
  const larger = Buffer.allocUnsafeSlow(Math.max(ARENA_BYTES_MIN, 2 * bytes));
  let at = 0;
  for (const entry of entries) {
    entry.batch.copy(larger, at);
    entry.batch = larger.subarray(at, at + entry.batch.length);
    at += entry.batch.length;
  }
  return larger;
}

function syncNow(env: SyncableEnvironment): Promise<void> {
  return new Promise((resolve, reject) => {
    env.sync((error) => (error ? reject(error) : resolve()));
  });
}

/** Members of lmdb-js that its type declarations lack. */
type SyncableEnvironment = RootDatabase & { sync(done: (error?: Error) => void): void };
interface TreeStats {
  pageSize: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
  entryCount: number;
}

function readStats(database: unknown): JournalStats {
  const tree = (database as { getStats(): TreeStats }).getStats();
  const pages = tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages;
  return { entries: tree.entryCount, bytes: pages * tree.pageSize };
}

/**
 * Returns the result of lmdb-js's `getBinaryFast` as a Buffer of the right length, without a copy. For small values,
 * lmdb-js reuses one buffer and sets its `length`. Values over 16 KiB are memory of the database itself. Use the result
 * only until the next read, and only inside the journal's `reading`.
 */
function exactly(shared: Uint8Array): Buffer {
  return Buffer.from(shared.buffer, shared.byteOffset, shared.length);
}
