import type { PolicyIssue, ValidationIssue } from "./wire-types.js";

/** The service answered with an error (CLI-2). The client never retries after an answer. */
export type AnsweredProblem = { status: number; requestId: string | null } & (
  | { kind: "validation_error"; issues: ValidationIssue[] }
  | { kind: "policy_validation_failed"; issues: PolicyIssue[] }
  /** Retry in the next minute. The service sends no Retry-After. */
  | { kind: "rate_limited"; limitPerMinute: number }
  /** 401, 403, 404, 405, 409, 412, 413, 415, or another status that a proxy on the way sent. */
  | { kind: "http_error"; message: string; /** Where several reasons share a status. */ code?: string }
  /** 5xx. Treat it like a timeout. */
  | { kind: "server_error"; message: string }
);

/** There was no usable answer. `message` names the cause and quotes nothing that was sent. */
export type OutageProblem =
  | { kind: "timeout"; message: string }
  | { kind: "unreachable"; message: string }
  /** The answer did not come from the service, or only a part of it arrived. */
  | { kind: "malformed_answer"; message: string };

export type Problem = AnsweredProblem | OutageProblem;

export type Answer<T> =
  | { ok: true; value: T; /** `x-request-id` */ requestId: string | null }
  | { ok: false; problem: Problem };

/** `etag` identifies the merchant's live policy. Send it as `ifMatch`. It is null for a draft. */
export type TaggedAnswer<T> =
  | (Extract<Answer<T>, { ok: true }> & { etag: string | null })
  | Extract<Answer<T>, { ok: false }>;

export interface LivePolicyGuard {
  /**
   * The `etag` of the live policy on which the change is based. If another policy is live now, nothing is stored, and
   * the answer is a problem with status 412.
   */
  ifMatch?: string;
}

/** Thrown only by iterators, because they cannot return a problem. All other calls return problems. */
export class PayInferenceError extends Error {
  override readonly name = "PayInferenceError";
  constructor(readonly problem: Problem) {
    super(`${problem.kind}: ${"message" in problem ? problem.message : "the service refused the request"}`);
  }
}
