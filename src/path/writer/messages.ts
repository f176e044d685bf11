import type { JournalOptions } from "../journal/journal.js";
import type { CacheServer } from "../../platform/cache/cache-client.js";
import type { WriterStep } from "./batch-connections.js";
import type { KeptOutcomes } from "./set-aside-queries.js";
import type { WriteFailure } from "./write-failure.js";
import type { RetriedOutcomes } from "./copy/retry-batch.js";

/** The data that the thread is started with. */
export interface WriterWorkerData {
  dataDir: string;
  journal: JournalOptions;
  databaseUrl: string;
  nodeId: string;
  /** CH-2: whether batches are noted for the log's copy in ClickHouse. */
  notesBatches: boolean;
  /** The cache that has the mirrors of all journals. Null without JOURNAL_MIRROR. */
  mirror: CacheServer | null;
}

/** Front → writer. */
export type WriterCommand =
  /** Starts the drain: PostgreSQL has its schema, or is known to be away. */
  | { type: "begin"; databaseIsReachable: boolean }
  /** Asks for a `persisted` report as soon as PostgreSQL has everything up to `sequence`. */
  | { type: "persist_through"; sequence: number; ticket: number }
  /** Asks the thread to drain, close and exit. */
  | { type: "stop"; deadlineMs: number };

/** Writer → front. */
export type WriterReport =
  /** `lastSequence`: the newest entry that was in the journal when the thread started. */
  | { type: "ready"; lastSequence: number }
  | { type: "persisted"; ticket: number; ok: boolean }
  /** RTRY-15: orders whose attempts left before their time. */
  | { type: "attempts_forgotten"; orders: number }
  /** DUR-15: PostgreSQL was restored to an earlier state, and this many records had left the journal since then. */
  | { type: "restored"; records: number }
  /** DUR-22: this many records of a dead node were stored from its stream. */
  | { type: "taken_over"; nodeId: string; records: number }
  /** A takeover failed and is tried again. `records` is the number stored before. */
  | { type: "takeover_failed"; nodeId: string; records: number; error: string }
  /** Reports a record that PostgreSQL refused for its contents, and the refusal. */
  | { type: "set_aside"; failure: WriteFailure }
  | {
      type: "status";
      /** True if the last transaction reached PostgreSQL. */
      databaseReachable: boolean;
      position: number;
      depthRecords: number;
      depthBytes: number;
      /** Milliseconds since the oldest undrained entry was committed; 0 if there is none. */
      ageMs: number;
      /** Counted since the last status. */
      batches: { rows: number; seconds: number }[];
      /** `failures` counts PostgreSQL's failures, and `journalFailures` the journal disk's. */
      failures: number;
      journalFailures: number;
      /** The writer's present or last step. */
      doing: WriterStep;
      /** The failure of the last transaction. Null if it succeeded. */
      failure: WriteFailure | null;
      /** The outcomes without a decision, and the records set aside, of all nodes. */
      kept: KeptOutcomes;
      /** Counted since the last status. */
      retried: RetriedOutcomes[];
    };
