import { randomUUID } from "node:crypto";
import type { DecisionRequest } from "../domain/vocabulary/decision-request.js";
import { readAnswer } from "./answer.js";
import { CLIENT_LIMITS } from "./client-limits.js";
import type { ClientSettings } from "./client-options.js";
import type { Connection, Received, Sent } from "./connection.js";
import { fallbackDecision, type OutageCode } from "./fallback-decision.js";
import type { LocalDecision } from "./local-decision.js";
import type { AnsweredProblem, Problem } from "./problem.js";
import { isDecision } from "./read-decision.js";
import type { ServiceDecision } from "./wire-types.js";

export interface DecideOptions {
  /** The key of this attempt at this payment: 1 to 255 printable ASCII characters. The client makes one by default. */
  idempotencyKey?: string;
}

export type DecideResult =
  /** The service decided. */
  | {
      ok: true;
      source: "service";
      decision: ServiceDecision;
      idempotencyKey: string;
      requestId: string | null;
      /**
       * True if this is the stored answer of an earlier request with the same key. `bodyMismatch`: the earlier body
       * differed.
       */
      replayed: boolean;
      bodyMismatch: boolean;
      /** RTRY-16: when the card scheme allows another attempt, ISO 8601. Null unless this attempt was too early. */
      retryNotBefore: string | null;
    }
  /**
   * There is an outage. `problem` says which, and `decision` is the instruction to use. To ask again, send the same
   * `idempotencyKey`.
   */
  | { ok: true; source: "fallback"; decision: LocalDecision; idempotencyKey: string; problem: Problem }
  /** The service refused the request. Repeating the request at once would give the same answer. */
  | { ok: false; problem: AnsweredProblem; idempotencyKey: string };

/** Sends one request within the hard timeout. It always resolves to a result, whatever happens on the network. */
export async function decide(
  settings: ClientSettings,
  connection: Connection,
  headers: Readonly<Record<string, string>>,
  request: DecisionRequest,
  { idempotencyKey = randomUUID() }: DecideOptions,
): Promise<DecideResult> {
  refuseKey(idempotencyKey);
  const startedMs = performance.now();
  const received = await sendWithin(connection, {
    method: "POST",
    path: "/v1/decision",
    headers: { ...headers, "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify(request),
    timeoutMs: settings.decisionTimeoutMs,
  });
  const answer = readAnswer<unknown>(received);
  if (answer.ok && received.kind === "answer" && isDecision(answer.value)) {
    const { requestId, replayed, bodyMismatch, retryNotBefore } = received;
    const decision = answer.value;
    const marks = { requestId, replayed, bodyMismatch, retryNotBefore };
    return { ok: true, source: "service", decision, idempotencyKey, ...marks };
  }
  const problem: Problem = answer.ok
    ? { kind: "malformed_answer", message: "The answer is no decision" }
    : answer.problem;
  const reasonCode =
    settings.rateLimitIsOutage && isRateLimit(problem) ? "PAYINFERENCE_TIMEOUT" : REASON_CODES[problem.kind];
  // The service itself refused the request, so there is no outage.
  if (reasonCode === null) return { ok: false, problem: problem as AnsweredProblem, idempotencyKey };
  const decision = fallbackDecision({
    request,
    mode: settings.mode,
    safeDefault: settings.safeDefault(request),
    reasonCode,
    localId: randomUUID(),
    elapsedMs: performance.now() - startedMs,
  });
  return { ok: true, source: "fallback", decision, idempotencyKey, problem };
}

/** CLI-3: the fallback's reason code for each kind of problem. Null if the problem is no outage. */
const REASON_CODES: Readonly<Record<Problem["kind"], OutageCode | null>> = {
  timeout: "PAYINFERENCE_TIMEOUT",
  // The API's document says: "5xx: treat like a timeout and use a fallback."
  server_error: "PAYINFERENCE_TIMEOUT",
  unreachable: "PAYINFERENCE_UNREACHABLE",
  malformed_answer: "PAYINFERENCE_UNREACHABLE",
  validation_error: null,
  policy_validation_failed: null,
  rate_limited: null,
  http_error: null,
};

/** ERR-4: true for a 429, even if a proxy sent it in its own form. */
function isRateLimit(problem: Problem): boolean {
  return problem.kind === "rate_limited" || (problem.kind === "http_error" && problem.status === 429);
}

/**
 * Sends the request. If the service had closed an idle connection, which is no outage, the request is sent one more
 * time. It then uses a new connection, the remaining time and the same idempotency key.
 */
async function sendWithin(connection: Connection, sent: Sent): Promise<Received> {
  const startedMs = performance.now();
  const received = await connection.send(sent);
  if (received.kind !== "unreachable" || !received.stale) return received;
  const leftMs = Math.floor(sent.timeoutMs - (performance.now() - startedMs));
  return leftMs <= 0 ? received : connection.send({ ...sent, timeoutMs: leftMs, fresh: true });
}

/** Throws for a key that no header can contain, because that is the caller's bug and no outage. */
function refuseKey(key: string): void {
  if (key.length < 1 || key.length > CLIENT_LIMITS.idempotencyKeyCharsMax || !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError(
      `idempotencyKey must hold 1 to ${CLIENT_LIMITS.idempotencyKeyCharsMax} printable ASCII characters`,
    );
  }
}
