import type { Problem } from "../../../client/problem.js";
import type { ValidationIssue } from "../../../client/wire-types.js";

/** The error of a rejected request. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  constructor(readonly problem: Problem) {
    super(sentenceOf(problem));
  }
}

/** The error of a page whose code could not be loaded. */
export class PageCodeError extends Error {
  override readonly name = "PageCodeError";
}

/** The status that the service answered with, or null for an outage or any other error. */
export function statusOf(error: unknown): number | null {
  return error instanceof ProblemError && "status" in error.problem ? error.problem.status : null;
}

/** ACC-16: returns whether the password was right, and a one-time code is missing or wrong. */
export function wantsCode(error: unknown): boolean {
  if (!(error instanceof ProblemError) || error.problem.kind !== "http_error") return false;
  return error.problem.code?.startsWith("one_time_code_") === true;
}

/** Returns true if the same request may succeed later without any change. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  return status === null || status === 429 || status >= 500;
}

/** Describes a failed read to people. The query client repeats a passing failure automatically (query-client.ts). */
export function readProblemText(error: unknown): string {
  return isWithoutAnswer(error) ? `${error.message} It is asked again by itself.` : textOf(error);
}

/**
 * Describes a failed action to people. It is not retried, and without an answer nobody knows whether it was carried
 * out.
 */
export function problemText(error: unknown): string {
  if (!isWithoutAnswer(error)) return textOf(error);
  return `${error.message} As far as this page knows nothing was done: try again.`;
}

function isWithoutAnswer(error: unknown): error is ProblemError {
  return (
    error instanceof ProblemError &&
    (error.problem.kind === "timeout" || error.problem.kind === "unreachable")
  );
}

function textOf(error: unknown): string {
  return error instanceof ProblemError || error instanceof PageCodeError
    ? error.message
    : "Something unexpected happened in this page.";
}

function sentenceOf(problem: Problem): string {
  switch (problem.kind) {
    case "validation_error":
    case "policy_validation_failed": {
      const [first] = problem.issues;
      return first === undefined ? "The request was refused." : `${first.path}: ${first.message}`;
    }
    case "rate_limited":
      return `More than ${problem.limitPerMinute} requests in a minute. Try again in the next one.`;
    case "http_error":
    case "server_error":
      return problem.message;
    case "timeout":
    case "unreachable":
      return "The service cannot be reached.";
    case "malformed_answer":
      return "Something answered that is not the service.";
  }
}

/** ERR-6: returns the service's message on one field of a refused body, by its dotted path. */
export function issueAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  const { problem } = error;
  const issues: readonly ValidationIssue[] =
    problem.kind === "validation_error" || problem.kind === "policy_validation_failed" ? problem.issues : [];
  return issues.find((issue) => issue.path === path)?.message;
}
