import type { JournalOptions } from "../journal/journal.js";
import type { CacheServer } from "../../platform/cache/cache-client.js";
import type { WriterStep } from "./decision-writer.js";
import type { KeptOutcomes } from "./set-aside-queries.js";
import type { WriteFailure } from "./write-failure.js";
import type { RetriedOutcomes } from "./copy/retry-batch.js";

/** The data that the thread is started with. */
export interface WriterWorkerData {
  dataDir: string;
  journal: JournalOptions;
  databaseUrl: string;
  nodeId: string;
  /** CH-2: true if batches are noted for the log's copy in ClickHouse. */
  notesBatches: boolean;
  /** The cache with the mirrors of all journals. Null without JOURNAL_MIRROR. */
  mirror: CacheServer | null;
}

/** A message from the front to the writer. */
export type WriterCommand =
  /** Starts the drain. PostgreSQL must have its schema, or be known to be away. */
  | { type: "begin"; databaseIsReachable: boolean }
  /** Asks for a `persisted` report when PostgreSQL has everything up to `sequence`. */
  | { type: "persist_through"; sequence: number; ticket: number }
  /** Asks the thread to drain, to close, and to exit. */
  | { type: "stop"; deadlineMs: number };

/** A message from the writer to the front. */
export type WriterReport =
  /** `lastSequence` is that of the newest entry in the journal when the thread started. */
  | { type: "ready"; lastSequence: number }
  | { type: "persisted"; ticket: number; ok: boolean }
  /** RTRY-15: the number of orders whose attempts were deleted early for lack of room. */
  | { type: "attempts_forgotten"; orders: number }
  /**
   * DUR-15: PostgreSQL was restored to an earlier state. `records` is the number of records that it has lost and that
   * the journal no longer has.
   */
  | { type: "restored"; records: number }
  /** DUR-22: this many records of a dead node's stream were stored. */
  | { type: "taken_over"; nodeId: string; records: number }
  /** A takeover failed and will be tried again. `records` were stored before the failure. */
  | { type: "takeover_failed"; nodeId: string; records: number; error: string }
  /** A record that PostgreSQL refused for its content was set aside. */
  | { type: "set_aside"; failure: WriteFailure }
  | {
      type: "status";
      /** True if the last transaction reached PostgreSQL. */
      databaseReachable: boolean;
      position: number;
      depthRecords: number;
      depthBytes: number;
      /** The age in milliseconds of the oldest entry that is not drained. 0 if there is none. */
      ageMs: number;
      /** The batches since the last status. */
      batches: { rows: number; seconds: number }[];
      /** Since the last status: the failures of PostgreSQL, and those of the journal's disk. */
      failures: number;
      journalFailures: number;
      /** The writer's current or last step. */
      doing: WriterStep;
      /** The failure of the last transaction. Null if it succeeded. */
      failure: WriteFailure | null;
      /** The outcomes without a decision, and the records set aside, on all nodes. */
      kept: KeptOutcomes;
      /** The outcomes of retries since the last status. */
      retried: RetriedOutcomes[];
    };
