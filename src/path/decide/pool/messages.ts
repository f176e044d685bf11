import type { JournalOptions } from "../../journal/journal.js";
import type { SharedCache } from "../../../platform/cache/cache-client.js";
import type { Action, DecisionMode, Mode, ModelVersion } from "../../../domain/vocabulary/vocabulary.js";
import type { CacheRoundTrip } from "../../../platform/cache/round-trip.js";
import type { OutcomeCaller, ReportedOutcome } from "../../../domain/outcomes/reported-outcome.js";

/**
 * Messages between the front and the decide workers. Strings are sent as strings. That was faster than copied byte
 * arrays, objects and transferred buffers. Answers to decisions travel beside their message (task-page.ts).
 */

export interface DecideWorkerSettings {
  dataDir: string;
  providers: readonly string[];
  /** RISK_BLOCK_THRESHOLD */
  riskBlockThreshold: number;
  /** See path/decide/identity/decision-identity.ts. */
  identity: SharedArrayBuffer;
  /** Null in the bench row without persistence only. */
  journal: JournalOptions | null;
  /** Null without CACHE_URL. */
  cache: SharedCache | null;
  /** The memory of the mirror's gate (path/mirror/mirror-signal.ts). Null without JOURNAL_MIRROR. */
  mirror: SharedArrayBuffer | null;
  /** See platform/threads/real-time.ts. */
  realTime: boolean;
}

/** The data that each thread is started with. */
export interface DecideWorkerData extends DecideWorkerSettings {
  /** The pool's (path/decide/pool/task-page.ts). */
  pages: readonly SharedArrayBuffer[];
}

/** The callers of requests. Each is in the batch once, and requests refer to it by position. */
export interface DecisionCaller {
  workspaceId: string;
  mode: Mode;
  /** The one merchant the key may act for, or null. */
  merchantScope: string | null;
}

/**
 * A message from the front to a decide worker. packed-requests.ts says which parts of a request are here and which are
 * in the page.
 */
export interface DecideTask {
  /** The index of the task's shared page. The page has the numbers of its requests, and receives the answers. */
  page: number;
  /** Each distinct caller once. The page has the caller of each request. */
  callers: DecisionCaller[];
  /** One per request. */
  bodies: string[];
  /** One key per request. Null if no request has one. */
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
      /** RTRY-16: Unix milliseconds, for a header. Null for nearly all. */
      retryNotBeforeMs: number | null;
    }
  /** A stored first response. */
  | { kind: "replayed"; body: Body; bodyDiffers: boolean; retryNotBeforeMs: number | null }
  /** A body that is not a decision request; `body` is the finished validation_error. */
  | { kind: "invalid"; body: Body }
  | { kind: "forbidden"; reason: "merchant_scope" | "unknown_merchant" }
  /** Another node is deciding for this Idempotency-Key, so the question must be repeated. */
  | { kind: "held" }
  /** Deciding threw: a bug. */
  | { kind: "failed" }
  /** The journal accepted nothing, because the disk is full or the journal is over its limit. */
  | { kind: "unavailable" };

/** JSON. The bytes are the front's view of a page, which is reused once the answer is settled. */
export type AnswerBody = string | Uint8Array;

/** Answers that did not fit into the task's page, by place. */
export type OversizeBodies = ReadonlyMap<number, string>;

/** The `retryNotBeforeMs` of the few answers that have one, by position. */
export type RetryTimes = ReadonlyMap<number, number>;

/** The fields of every answer of a decide worker. */
export interface BatchReply {
  /** The journal sequence of this batch, 0 when nothing was journalled. */
  sequence: number;
  /** The reason why the journal accepted nothing of this batch, or null. */
  journalError: string | null;
  /** The stack of the last error that a decision of this batch threw, or null. */
  bug: string | null;
  /** DUR-19: the mirror may lack the batch, so its answers are withheld. */
  isWithheld?: true;
}

/** Decide worker → front. */
export interface DecideReply extends BatchReply {
  /** Null where all answers are in the task's page. */
  oversize: OversizeBodies | null;
  /** Null if no answer names a time for a retry. */
  retryNotBefore: RetryTimes | null;
  /** This worker's round trips to the shared cache since its last reply. Absent if there were none. */
  cacheRoundTrips?: CacheRoundTrip[];
}

/** Front → decide worker. */
export interface OutcomeTask {
  reports: (ReportedOutcome & OutcomeCaller)[];
}

export type OutcomeAnswer =
  /** Committed to the journal. */
  | { kind: "stored" }
  /** The journal accepted nothing (full disk, or over its limit), or no worker answered. */
  | { kind: "unavailable" };

/** Decide worker → front. */
export type OutcomeReply = BatchReply;
