import type { Received } from "./connection.js";
import type { Answer, AnsweredProblem, Problem } from "./problem.js";
import type { PolicyIssue, ValidationIssue } from "./wire-types.js";

type JsonObject = Record<string, unknown>;

/** Returns the value of a 2xx answer, or else the problem. It never throws. */
export function readAnswer<T>(received: Received): Answer<T> {
  if (received.kind !== "answer") return { ok: false, problem: outageOf(received) };
  const { status, requestId, text } = received;
  const json = parseObject(text);
  if (status >= 400) return { ok: false, problem: problemOf(status, requestId, json) };
  if (status < 200 || status > 299) return { ok: false, problem: notTheService(status) };
  if (json === null) {
    return { ok: false, problem: { kind: "malformed_answer", message: "The answer is no JSON object" } };
  }
  return { ok: true, value: json as T, requestId };
}

function outageOf({ kind, message }: Exclude<Received, { kind: "answer" }>): Problem {
  return { kind, message };
}

/** CLI-3: the service never redirects, so another server on the way must have answered. */
function notTheService(status: number): Problem {
  return { kind: "malformed_answer", message: `HTTP ${status} is no answer of the service` };
}

/** ERR-1 to ERR-4. For the error page of a proxy, the problem's message names only the status. */
function problemOf(status: number, requestId: string | null, json: JsonObject | null): AnsweredProblem {
  const answered = { status, requestId };
  const issues = Array.isArray(json?.["issues"]) ? json["issues"] : null;
  if (status === 400 && json?.["error"] === "validation_error" && issues !== null) {
    return { ...answered, kind: "validation_error", issues: issues as ValidationIssue[] };
  }
  if (status === 400 && json?.["error"] === "policy_validation_failed" && issues !== null) {
    return { ...answered, kind: "policy_validation_failed", issues: issues as PolicyIssue[] };
  }
  const limitPerMinute = json?.["limit_per_minute"];
  if (status === 429 && typeof limitPerMinute === "number") {
    return { ...answered, kind: "rate_limited", limitPerMinute };
  }
  const bodyMessage = json?.["message"];
  const message = typeof bodyMessage === "string" ? bodyMessage : `HTTP ${status}`;
  return { ...answered, kind: status >= 500 ? "server_error" : "http_error", message };
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}
