import type { JournalOptions } from "../../journal/journal.js";
import type { SharedCache } from "../../../platform/cache/cache-client.js";
import type { Action, DecisionMode, Mode, ModelVersion } from "../../../domain/vocabulary/vocabulary.js";
import type { CacheRoundTrip } from "../../../platform/cache/round-trip.js";
import type { OutcomeCaller, ReportedOutcome } from "../../../domain/outcomes/reported-outcome.js";

/**
 * Messages between the front and the decide workers. Texts are sent as strings, which was faster than copied byte
 * arrays, objects and transferred buffers. Answers to decisions are not in the message but in shared memory
 * (shared-memory.ts).
 */

export interface DecideWorkerSettings {
  dataDir: string;
  providers: readonly string[];
  /** RISK_BLOCK_THRESHOLD */
  riskBlockThreshold: number;
  /** The memory of path/decide/pool/shared-memory.ts. */
  identity: SharedArrayBuffer;
  /** Null only in the bench without persistence. */
  journal: JournalOptions | null;
  /** Null without CACHE_URL. */
  cache: SharedCache | null;
  /** The memory of the mirror's gate (path/mirror/mirror-signal.ts). Null without JOURNAL_MIRROR. */
  mirror: SharedArrayBuffer | null;
  /** True for real-time scheduling (platform/threads/real-time.ts). */
  realTime: boolean;
}

/** The data that each thread is started with. */
export interface DecideWorkerData extends DecideWorkerSettings {
  /** The memory of the pool's pages (path/decide/pool/shared-memory.ts). */
  pages: readonly SharedArrayBuffer[];
}

/** The caller of one or more requests. A task lists each caller one time, and requests refer to it by position. */
export interface DecisionCaller {
  workspaceId: string;
  mode: Mode;
  /** The one merchant that the key may act for, or null. */
  merchantScope: string | null;
}

/**
 * A message from the front to a decide worker. shared-memory.ts decides what of a request is in the message and what
 * is in the page.
 */
export interface DecideTask {
  /** The index of the task's shared page. The page has the numbers of the requests, and later the answers. */
  page: number;
  /** The distinct callers. The page has each request's position in this list. */
  callers: DecisionCaller[];
  /** One per request. */
  bodies: string[];
  /** One key or null per request. Null if no request has a key. */
  idempotencyKeys: (string | null)[] | null;
}

export type DecideAnswer<Body extends AnswerBody = AnswerBody> =
  /** A new decision, committed to the journal. */
  | {
      kind: "decided";
      body: Body;
      action: Action;
      decisionMode: DecisionMode;
      model: ModelVersion;
      latencyMs: number;
      /** RTRY-16: Unix milliseconds, for a header. Null for nearly all decisions. */
      retryNotBeforeMs: number | null;
    }
  /** A first response that was stored under the same key. */
  | { kind: "replayed"; body: Body; bodyDiffers: boolean; retryNotBeforeMs: number | null }
  /** The body is not a decision request. `body` is the finished validation_error. */
  | { kind: "invalid"; body: Body }
  | { kind: "forbidden"; reason: "merchant_scope" | "unknown_merchant" }
  /** Another node is deciding a request with this Idempotency-Key. Submit the request again later. */
  | { kind: "held" }
  /** The decision threw an error, which is a bug. */
  | { kind: "failed" }
  /**
   * No decision may be sent. The node has no number yet, no worker answered in time, or the journal or the mirror did
   * not take the batch.
   */
  | { kind: "unavailable" };

/** JSON text. Bytes are a view of a page, which is reused as soon as the answer is settled. */
export type AnswerBody = string | Uint8Array;

/** The answers that did not fit into the task's page, by position. */
export type OversizeBodies = ReadonlyMap<number, string>;

/** The `retryNotBeforeMs` of the few answers that have one, by position. */
export type RetryTimes = ReadonlyMap<number, number>;

/** The fields of every answer of a decide worker. */
export interface BatchReply {
  /** The batch's journal sequence. With a mirror and a replay, the journal's last one. 0 if nothing was journalled. */
  sequence: number;
  /** The reason why the journal accepted nothing of this batch, or null. */
  journalError: string | null;
  /** The stack of the last error that a decision of this batch threw, or null. */
  bug: string | null;
  /** DUR-19: true if the mirror may lack the batch, so that its answers must not be sent. */
  isWithheld?: true;
}

/** A message from a decide worker to the front. */
export interface DecideReply extends BatchReply {
  /** Null if all answers are in the task's page. */
  oversize: OversizeBodies | null;
  /** Null if no answer has a time for a retry. */
  retryNotBefore: RetryTimes | null;
  /** This worker's round trips to the shared cache since it last reported them. Absent if the batch needed no cache. */
  cacheRoundTrips?: CacheRoundTrip[];
}

/** A message from the front to a decide worker. */
export interface OutcomeTask {
  reports: (ReportedOutcome & OutcomeCaller)[];
}

export type OutcomeAnswer =
  /** The report is committed to the journal. */
  | { kind: "stored" }
  /** The journal or the mirror did not take the report, or no worker answered in time. */
  | { kind: "unavailable" };

/** A message from a decide worker to the front. */
export type OutcomeReply = BatchReply;
