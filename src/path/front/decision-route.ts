import type { DecisionJob } from "../decide/pool/decision-pool.js";
import type { AnswerBody, DecideAnswer, DecisionCaller } from "../decide/pool/messages.js";
import { bodyText } from "../decide/pool/shared-memory.js";
import type { DecisionRequest } from "../../domain/vocabulary/decision-request.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { unreachable } from "../../domain/vocabulary/unreachable.js";
import type { Metrics } from "../../platform/telemetry/metrics.js";
import type { Exchange } from "../../platform/http/exchange.js";
import type { ExtraHeaders } from "../../platform/http/api-error.js";
import type { ValidationIssue } from "../../platform/wire/validation-issue.js";
import { idempotencyKeyIssue, REPLAYED, REPLAYED_FOR_ANOTHER_BODY } from "./head-refusal.js";
import type { ScopedRoute } from "./route.js";

export interface DecisionRouteDependencies {
  submit(job: DecisionJob): "accepted" | "full";
  /** DUR-6: true if the journal exceeds JOURNAL_MAX_BYTES. New decisions then get 503, so that none is lost. */
  journalIsFull(): boolean;
  /**
   * Looks for a merchant in PostgreSQL, because this node may lack its copy. Resolves to false if PostgreSQL does not
   * answer. Null if this node has copies of all merchants.
   */
  lookUpMerchant(workspaceId: string, merchantId: string): Promise<boolean> | null;
  metrics: Metrics;
  /**
   * Called for each decision before its answer is sent. Null if nothing is traced. `body` is null for a replay, because
   * the answer then comes from another request's body.
   */
  trace: ((exchange: Exchange, workspaceId: string, body: string | null, reply: string) => void) | null;
}

type Replayed = Extract<DecideAnswer, { kind: "replayed" }>;

const OVERLOADED = "The service is at its capacity";
const MERCHANT_UNSEEN = "The merchant cannot be looked up right now";
const JOURNAL_FULL = "Decisions cannot be recorded right now";

/** POST /v1/decision */
export function decisionRoute({
  submit,
  journalIsFull,
  lookUpMerchant,
  metrics,
  trace,
}: DecisionRouteDependencies): ScopedRoute {
  /** For a key that another node has claimed: submits the job again later. The pool bounds the total wait. */
  const retryWhileHeld = (exchange: Exchange, job: DecisionJob): void => {
    setTimeout(() => {
      if (exchange.done || submit(job) === "accepted") return;
      refuseOverload(exchange);
    }, TUNING.idempotencyPollMs);
  };

  const refuseOverload = (exchange: Exchange): void => {
    metrics.rejected("pool_full");
    exchange.fail({ kind: "unavailable", message: OVERLOADED });
  };

  /** Submits the job again when PostgreSQL has answered whether the merchant exists. */
  const retryAfterLookup = async (
    lookup: Promise<boolean>,
    exchange: Exchange,
    job: DecisionJob,
  ): Promise<void> => {
    const isKnown = await lookup;
    if (exchange.done) return;
    if (!isKnown) return exchange.fail({ kind: "unavailable", message: MERCHANT_UNSEEN });
    if (submit(job) === "full") refuseOverload(exchange);
  };

  const answer = (
    exchange: Exchange,
    caller: DecisionCaller,
    result: Exclude<DecideAnswer, { kind: "held" }>,
  ): void => {
    switch (result.kind) {
      case "decided":
        metrics.decided(result.action, caller.mode, result.decisionMode, result.model, result.latencyMs);
        return exchange.send(200, result.body, retryHeaders(result.retryNotBeforeMs));
      case "replayed":
        metrics.replayed();
        return exchange.send(200, result.body, replayHeaders(result));
      case "invalid":
        return sendIssues(exchange, result.body);
      case "forbidden":
        return exchange.fail({
          kind: result.reason === "merchant_scope" ? "other_merchant_scope" : "unknown_merchant",
        });
      case "failed":
        return exchange.fail({ kind: "internal" });
      case "unavailable":
        metrics.rejected("journal_unavailable");
        return exchange.fail({ kind: "unavailable", message: JOURNAL_FULL });
      default:
        return unreachable(result);
    }
  };

  return {
    method: "POST",
    onRepeat: "again",
    path: "/v1/decision",
    access: { scope: "decision:write" },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    handle(exchange, grant, _params, body) {
      const issue = idempotencyKeyIssue(exchange.head);
      if (issue !== null) return exchange.fail({ kind: "invalid", issues: [issue] });
      if (journalIsFull()) {
        metrics.rejected("journal_full");
        return exchange.fail({ kind: "unavailable", message: JOURNAL_FULL });
      }
      let hasLookedUp = false;
      const job: DecisionJob = {
        caller: grant,
        body,
        idempotencyKey: exchange.head.idempotencyKey ?? null,
        receivedAtMs: exchange.bodyReceivedAtMs,
        settle: (result) => {
          if (result.kind === "held") return retryWhileHeld(exchange, job);
          if (result.kind === "forbidden" && result.reason === "unknown_merchant" && !hasLookedUp) {
            hasLookedUp = true;
            const lookup = lookUpMerchant(grant.workspaceId, merchantOf(body));
            if (lookup !== null) return void retryAfterLookup(lookup, exchange, job);
          }
          try {
            if (trace !== null && (result.kind === "decided" || result.kind === "replayed")) {
              trace(
                exchange,
                grant.workspaceId,
                result.kind === "decided" ? body : null,
                bodyText(result.body),
              );
            }
            answer(exchange, grant, result);
          } catch (error) {
            exchange.handlerFailed(error);
          }
        },
      };
      if (submit(job) === "full") refuseOverload(exchange);
    },
  };
}

const NO_HEADERS: ExtraHeaders = [];

/** Sends the answer that the worker has written. RLOG-3: the request log needs its issues, so they are parsed again. */
function sendIssues(exchange: Exchange, body: AnswerBody): void {
  const { issues } = JSON.parse(bodyText(body)) as { issues: ValidationIssue[] };
  exchange.refusal = { kind: "invalid", issues };
  exchange.send(400, body);
}

/** RTRY-16: the header with the time from which the scheme allows another attempt. */
function retryHeaders(notBeforeMs: number | null): ExtraHeaders {
  if (notBeforeMs === null) return NO_HEADERS;
  return [["payinference-retry-not-before", new Date(notBeforeMs).toISOString()]];
}

/** IDEM-3, IDEM-5: the headers of a stored response, including its own retry header. */
function replayHeaders({ bodyDiffers, retryNotBeforeMs }: Replayed): ExtraHeaders {
  const marks = bodyDiffers ? REPLAYED_FOR_ANOTHER_BODY : REPLAYED;
  return retryNotBeforeMs === null ? marks : [...marks, ...retryHeaders(retryNotBeforeMs)];
}

/** The merchant of a body, which a worker must have validated. */
function merchantOf(body: string): string {
  return (JSON.parse(body) as DecisionRequest).merchant_id;
}
