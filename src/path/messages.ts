import type { CacheRoundTrip } from "../platform/cache/round-trip.js";
import type { PolicyIssue } from "../platform/wire/validation-issue.js";
import type { BacktestResult } from "../domain/decision/backtest-tally.js";
import type { RetriedOutcomes } from "./writer/copy/retry-batch.js";
import type { Policy } from "../domain/policy/policy.js";
import type { OutcomeCaller, ReportedOutcome } from "../domain/outcomes/reported-outcome.js";
import type { KeptOutcomes, WriterStep } from "./writer/decision-writer.js";
import type { ReadRequest } from "../features/reader/reads.js";
import type { LiveOutcomes } from "../domain/health/live-outcome.js";
import type { ProviderOverride } from "../domain/health/provider-override.js";
import type { ProviderReports } from "../domain/health/provider-report.js";
import type {
  Action,
  DecisionMode,
  HealthState,
  Mode,
  ModelVersion,
} from "../domain/vocabulary/vocabulary.js";
import type { WriteFailure } from "./writer/write-failure.js";

/**
 * Every message between threads: one union per mailbox. Strings travel as they are: they beat copied byte arrays,
 * objects and transferred buffers here. Answers to decisions travel beside their message (task-page.ts).
 */

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
    }
  /** A stored first response. */
  | { kind: "replayed"; body: Body; bodyDiffers: boolean }
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

/** What every answer of a decide worker carries. */
export interface BatchReply {
  /** The journal sequence of this batch, 0 when nothing was journalled. */
  sequence: number;
  /** Why the journal took nothing of this batch, or null. */
  journalError: string | null;
  /** The stack of what deciding threw last in this batch, or null. */
  bug: string | null;
}

/** Decide worker → front. */
export interface DecideReply extends BatchReply {
  /** Null where all answers are in the task's page. */
  oversize: OversizeBodies | null;
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
      /** Reports without a decision, of all nodes. */
      kept: KeptOutcomes;
      /** Since the last status. */
      retried: RetriedOutcomes[];
    };

/** Front → reader. */
export type ReaderCommand = { type: "read"; ticket: number; request: ReadRequest } | { type: "stop" };

/** Reader → front. */
export type ReaderReport =
  | { type: "answer"; ticket: number; json: string | null }
  /** `bug`: the stack of an error of ours, or null when PostgreSQL could not answer; `refusal`: see refusalOf. */
  | { type: "failed"; ticket: number; bug: string | null; refusal: string | null };

/** `passwordHash` is null where there is no such user. */
export type PasswordTask =
  | { kind: "hash"; password: string }
  | { kind: "verify"; password: string; passwordHash: string | null };

/** A policy in plain English. */
export interface TranslateTask {
  text: string;
  /** The deployment's. */
  providers: readonly string[];
}

/** Front → password, translate: threads that do one thing at a time for the front. */
export type ErrandCommand<Task> = { type: "work"; ticket: number; task: Task } | { type: "stop" };

/** Password, translate → front. */
export type ErrandReport<Answer> =
  | { type: "answer"; ticket: number; answer: Answer }
  /** `where`: the kind of error and the frames of its stack. */
  | { type: "failed"; ticket: number; where: string };

/** The pins of one workspace. */
export interface WorkspaceOverrides {
  workspaceId: string;
  overrides: readonly ProviderOverride[];
}

/** What providers said of themselves to one workspace. */
export interface WorkspaceReports extends ProviderReports {
  workspaceId: string;
}

/** Front → prober. */
export type ProberCommand =
  /** Of any node, as they were stored; they move the view of their workspace and mode only. */
  | { type: "outcomes"; outcomes: readonly LiveOutcomes[] }
  /** What was stored before; shown at once, which a `recalled` report with this ticket confirms. */
  | { type: "recall"; outcomes: readonly LiveOutcomes[]; ticket: number }
  /** What these workspaces pin now; shown at once, which an `overrides` report with this ticket confirms. */
  | { type: "overrides"; workspaces: readonly WorkspaceOverrides[]; ticket: number }
  /** All there are; shown at once. */
  | { type: "reports"; workspaces: readonly WorkspaceReports[] }
  | { type: "stop" };

/** A segment shows another state than before: to everybody, or with an owner in the view of one workspace and mode. */
export interface HealthChange {
  owner: { workspaceId: string; mode: Mode } | null;
  provider: string;
  segmentKey: string;
  state: HealthState;
  /** Why; empty where a view of a workspace's own ended. */
  reasonCodes: string[];
}

/** Prober → front. */
export type ProberReport =
  | { type: "ready" }
  /** Snapshots could not be stored, or, with null, can be again. */
  | { type: "replica"; error: string | null }
  | {
      type: "health";
      segments: { provider: string; segmentKey: string; score: number; state: HealthState }[];
      /** True when the prober began anew: what was reported before no longer holds, and `changes` says what does. */
      restarted: boolean;
      /** What opens and closes alerts. */
      changes: HealthChange[];
    }
  /** The overrides of that ticket are shown. */
  | { type: "overrides"; ticket: number }
  | { type: "recalled"; ticket: number }
  | { type: "stopped" };

/** What a backtest is of; all in one message, for the thread's whole life. */
export interface BacktestJob {
  workspaceId: string;
  mode: Mode;
  merchantId: string;
  /** The draft in normal form. */
  policy: Policy;
  warnings: readonly PolicyIssue[];
  /** Unix milliseconds: decisions made at or after. */
  sinceMs: number;
  /** The newest so many. */
  limit: number;
}

/** Front → backtest: the last report has been taken. */
export type BacktestCommand = { type: "go_on" };

/** Backtest → front, and a line each for the client. */
export type BacktestReport =
  | { type: "progress"; replayed: number; total: number }
  | ({ type: "result"; warnings: readonly PolicyIssue[] } & BacktestResult);
