import type { Problem, ValidationIssue } from "../../client/problem.js";

/** What a rejected request of the page is rejected with. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  constructor(readonly problem: Problem) {
    super(problemText(problem));
  }
}

/** The status the service answered with; null for an outage or anything else. */
export function statusOf(error: unknown): number | null {
  return error instanceof ProblemError && "status" in error.problem ? error.problem.status : null;
}

/** One sentence for people. */
export function problemText(error: unknown): string {
  if (error instanceof ProblemError) return error.message;
  if (!isProblem(error)) return "Something unexpected happened in this page.";
  switch (error.kind) {
    case "validation_error":
    case "policy_validation_failed": {
      const [first] = error.issues;
      return first === undefined ? "The request was refused." : `${first.path}: ${first.message}`;
    }
    case "rate_limited":
      return `More than ${error.limitPerMinute} requests in a minute. Try again in the next one.`;
    case "http_error":
    case "server_error":
      return error.message;
    case "timeout":
    case "unreachable":
      return "The service cannot be reached. It is asked again by itself.";
    case "malformed_answer":
      return "Something answered that is not the service.";
  }
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "kind" in value;
}

/** What the service says of one field of a refused body: contract §2, by its dotted path. */
export function issueAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  const { problem } = error;
  const issues: readonly ValidationIssue[] =
    problem.kind === "validation_error" || problem.kind === "policy_validation_failed" ? problem.issues : [];
  return issues.find((issue) => issue.path === path)?.message;
}
