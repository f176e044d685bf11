import type { JournalOptions } from "../journal/journal.js";
import type { WriterStep } from "./batch-connections.js";
import type { KeptOutcomes } from "./set-aside-queries.js";
import type { WriteFailure } from "./write-failure.js";
import type { RetriedOutcomes } from "./copy/retry-batch.js";

/** What the thread is started with. */
export interface WriterWorkerData {
  dataDir: string;
  journal: JournalOptions;
  databaseUrl: string;
  nodeId: string;
}

/** Front → writer. */
export type WriterCommand =
  /** PostgreSQL has its schema, or is known to be away: nothing is drained before. */
  | { type: "begin" }
  /** Answer `persisted` as soon as everything up to `sequence` is in PostgreSQL. */
  | { type: "persist_through"; sequence: number; ticket: number }
  /** Drain, then close and exit. */
  | { type: "stop"; deadlineMs: number };

/** Writer → front. */
export type WriterReport =
  /** `lastSequence`: the newest entry that was in the journal when the thread started. */
  | { type: "ready"; lastSequence: number }
  | { type: "persisted"; ticket: number; ok: boolean }
  /** A record that PostgreSQL refuses for what it holds; how it did. */
  | { type: "set_aside"; failure: WriteFailure }
  | {
      type: "status";
      /** Whether the last transaction reached PostgreSQL. */
      databaseReachable: boolean;
      position: number;
      depthRecords: number;
      depthBytes: number;
      /** Milliseconds since the oldest undrained entry was committed, 0 when empty. */
      ageMs: number;
      /** Since the last status. */
      batches: { rows: number; seconds: number }[];
      /** Of PostgreSQL, and of the journal's own disk. */
      failures: number;
      journalFailures: number;
      /** What the writer does, or did last. */
      doing: WriterStep;
      /** How the last transaction failed; null where it did not. */
      failure: WriteFailure | null;
      /** Reports without a decision, and what is set aside, of all nodes. */
      kept: KeptOutcomes;
      /** Since the last status. */
      retried: RetriedOutcomes[];
    };
