import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { open, type Database, type RootDatabase } from "lmdb";
import { createReplyStore, type ReplyStore } from "../idempotency/reply-store.js";
import { LIMITS } from "../shared/limits.js";
import { createDiskRoomCheck } from "./disk-room.js";

/**
 * The durable mailbox between the decide workers and the writer: an LMDB environment under DATA_DIR/journal.
 * A commit is visible to a process that starts after kill -9 of this one, with or without fsync; fsync (each second
 * by the writer, or on each commit with JOURNAL_SYNC=always) covers the loss of power.
 */
export interface JournalOptions {
  dataDir: string;
  /** JOURNAL_MAX_BYTES: what undrained entries may take; idempotent replies have a share of their own. */
  bytesMax: number;
  /** JOURNAL_SYNC=always: a commit returns once it is on the disk. */
  syncEveryCommit: boolean;
}

export interface JournalStats {
  entries: number;
  /** Bytes of the pages that hold undrained entries. */
  bytes: number;
}

export interface JournalEntry {
  sequence: number;
  batch: Buffer;
}

export interface Journal {
  replies: ReplyStore;
  /**
   * Runs `write` under LMDB's write lock, which all threads and processes share; all of it or nothing lands.
   * Throws DiskFullError, as every writing call does, before the disk is full.
   */
  transaction<T>(write: () => T): T;
  /** Inside a transaction: appends a batch; sequences grow in commit order, without regard to the thread. */
  append(batch: Buffer): number;
  /** Entries after `sequence`, oldest first, until `bytesMax` is passed. */
  readAfter(sequence: number, bytesMax: number): JournalEntry[];
  /** Drops the entries up to and including `sequence`: they are in PostgreSQL. */
  removeThrough(sequence: number): void;
  lastSequence(): number;
  stats(): JournalStats;
  /** Resolves once everything committed so far is on the disk itself. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

const LAST_SEQUENCE = "last_sequence";
/**
 * Address space beyond both shares, for LMDB's own pages and what arrives until a limit is noticed. Without it the
 * environment could fill up to where not even a removal fits.
 */
const MAP_SLACK_BYTES = 2 ** 30;

export function openJournal(options: JournalOptions): Journal {
  const path = join(options.dataDir, "journal");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const env: RootDatabase = open({
    path,
    maxDbs: 8,
    mapSize: options.bytesMax + LIMITS.idempotentReplyBytesMax + MAP_SLACK_BYTES,
    noSync: !options.syncEveryCommit,
    overlappingSync: false,
    // A reader slot per thread and a spare: stale ones of a killed process are cleared at open by LMDB's own check.
    maxReaders: 512,
  });
  const batches: Database<Buffer, number> = env.openDB({ name: "batches", encoding: "binary" });
  const meta: Database<number, string> = env.openDB({ name: "meta", encoding: "json" });
  const replyBodies: Database<string, string> = env.openDB({ name: "replies", encoding: "string" });
  const replies = createReplyStore({
    replies: replyBodies,
    expiries: env.openDB({ name: "reply_expiries", encoding: "string" }),
    isOverfull: () => readStats(replyBodies).bytes > LIMITS.idempotentReplyBytesMax,
  });
  const assertRoom = createDiskRoomCheck(path);
  const transaction = <T>(write: () => T): T => {
    assertRoom();
    return env.transactionSync(write);
  };
  return {
    replies,
    transaction,
    append(batch) {
      const sequence = (meta.get(LAST_SEQUENCE) ?? 0) + 1;
      meta.putSync(LAST_SEQUENCE, sequence);
      batches.putSync(sequence, batch);
      return sequence;
    },
    readAfter(sequence, bytesMax) {
      env.resetReadTxn();
      const entries: JournalEntry[] = [];
      let bytes = 0;
      for (const { key, value } of batches.getRange({ start: sequence + 1 })) {
        entries.push({ sequence: key, batch: value });
        bytes += value.length;
        if (bytes >= bytesMax) break;
      }
      return entries;
    },
    removeThrough(sequence) {
      transaction(() => {
        for (const key of Array.from(batches.getKeys({ end: sequence + 1 }))) batches.removeSync(key);
      });
    },
    lastSequence() {
      env.resetReadTxn();
      return meta.get(LAST_SEQUENCE) ?? 0;
    },
    stats() {
      env.resetReadTxn();
      return readStats(batches);
    },
    sync: () =>
      new Promise((resolve, reject) => {
        (env as SyncableEnvironment).sync((error) => (error ? reject(error) : resolve()));
      }),
    close: () => env.close(),
  };
}

/** lmdb-js has these and its type declarations do not. */
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
