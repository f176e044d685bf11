import type { JournalOptions } from "../../journal/journal.js";
import type { SharedCache } from "../../../platform/cache/cache-client.js";
import type { Action, DecisionMode, Mode, ModelVersion } from "../../../domain/vocabulary/vocabulary.js";
import type { CacheRoundTrip } from "../../../platform/cache/round-trip.js";
import type { OutcomeCaller, ReportedOutcome } from "../../../domain/outcomes/reported-outcome.js";

/**
 * Messages between the front and the decide workers. Strings travel as they are: they beat copied byte arrays, objects
 * and transferred buffers here. Answers to decisions travel beside their message (task-page.ts).
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

/** What each thread is started with. */
export interface DecideWorkerData extends DecideWorkerSettings {
  /** The pool's (path/decide/pool/task-page.ts). */
  pages: readonly SharedArrayBuffer[];
}

/** Who asks: repeated per batch, referred to by position from each request. */
export interface DecisionCaller {
  workspaceId: string;
  mode: Mode;
  /** The one merchant the key may act for, or null. */
  merchantScope: string | null;
}

/** Front → decide worker; packed-requests.ts says what of each request is here, and what in the page. */
export interface DecideTask {
  /** Which of the shared pages is the task's: it has the numbers of its requests, and takes the answers. */
  page: number;
  /** Each distinct one once; the page says whose a request is. */
  callers: DecisionCaller[];
  /** One per request. */
  bodies: string[];
  /** One per request; null where none has one. */
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
  /** Another node decides for this Idempotency-Key at this moment: to be asked again. */
  | { kind: "held" }
  /** Deciding threw: a bug. */
  | { kind: "failed" }
  /** The journal took nothing: full disk or over its limit. */
  | { kind: "unavailable" };

/** JSON. The bytes are the front's view of a page, and gone once the answer is settled. */
export type AnswerBody = string | Uint8Array;

/** Answers that did not fit into the task's page, by place. */
export type OversizeBodies = ReadonlyMap<number, string>;

/** The `retryNotBeforeMs` of the few answers that have one, by place. */
export type RetryTimes = ReadonlyMap<number, number>;

/** What every answer of a decide worker carries. */
export interface BatchReply {
  /** The journal sequence of this batch, 0 when nothing was journalled. */
  sequence: number;
  /** Why the journal took nothing of this batch, or null. */
  journalError: string | null;
  /** The stack of what deciding threw last in this batch, or null. */
  bug: string | null;
  /** DUR-19: it is not known that the mirror has the batch, so its answers are withheld. */
  isWithheld?: true;
}

/** Decide worker → front. */
export interface DecideReply extends BatchReply {
  /** Null where all answers are in the task's page. */
  oversize: OversizeBodies | null;
  /** Null where no answer says when a retry is allowed. */
  retryNotBefore: RetryTimes | null;
  /** Of this worker with the shared cache since its last reply; absent where there were none. */
  cacheRoundTrips?: CacheRoundTrip[];
}

/** Front → decide worker. */
export interface OutcomeTask {
  reports: (ReportedOutcome & OutcomeCaller)[];
}

export type OutcomeAnswer =
  /** Committed to the journal. */
  | { kind: "stored" }
  /** The journal took nothing: full disk or over its limit; or no worker answered. */
  | { kind: "unavailable" };

/** Decide worker → front. */
export type OutcomeReply = BatchReply;
