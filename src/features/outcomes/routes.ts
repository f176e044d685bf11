import type { OutcomeReceiptBody } from "./wire/outcome-response-schema.js";
import type { OutcomeJob } from "../../path/decide/pool/decision-pool.js";
import type { OutcomeAnswer } from "../../path/decide/pool/messages.js";
import { createOutcomeValidator, type OutcomeReportBody } from "./wire/outcome-schema.js";
import type { Validator } from "../../platform/wire/body-validator.js";
import { FAILURE_CLASSES, isApproved } from "../../domain/outcomes/classification.js";
import { normalizeOutcome } from "../../domain/outcomes/normalize-outcome.js";
import {
  outcomeIdOf,
  type OutcomeCaller,
  type ReportedOutcome,
} from "../../domain/outcomes/reported-outcome.js";
import { monotonicMs } from "../../platform/timing/clock.js";
import type { DecisionIdMismatch, DecisionIds } from "../../domain/ids/decision-id.js";
import { isId } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { parseTimestamp } from "../../domain/vocabulary/timestamp.js";
import { unreachable } from "../../domain/vocabulary/unreachable.js";
import type { Metrics } from "../../platform/telemetry/metrics.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import type { Route, ScopedRoute } from "../../path/front/route.js";

interface OutcomesRouteDependencies {
  validator: Validator<OutcomeReportBody>;
  /** Null until this node knows the key that signs decision ids. */
  decisionIds(): Pick<DecisionIds, "mismatch"> | null;
  submit(job: OutcomeJob): "accepted" | "full";
  journalIsFull(): boolean;
  /** RET-6: false for a decision that is older than its retention. */
  isKept(workspaceId: string, decisionId: string): boolean;
  metrics: Metrics;
}

export interface OutcomeRoutesParts extends Omit<OutcomesRouteDependencies, "validator"> {
  providers: readonly string[];
}

/** The routes that receive payments' outcomes. */
export function outcomeRoutes(parts: OutcomeRoutesParts): Route[] {
  return [outcomesRoute({ ...parts, validator: createOutcomeValidator(parts.providers) })];
}

const OVERLOADED: ApiError = { kind: "unavailable", message: "The service is at its capacity" };
const JOURNAL_FULL: ApiError = { kind: "unavailable", message: "Outcomes cannot be recorded right now" };
const STARTING: ApiError = { kind: "unavailable", message: "This node cannot verify decision ids yet" };

/**
 * POST /v1/outcomes: 200 once the report is in the journal. A decision id certifies itself, so no look-up is needed and
 * PostgreSQL may be away.
 */
function outcomesRoute(dependencies: OutcomesRouteDependencies): ScopedRoute {
  const { validator, decisionIds, submit, journalIsFull, isKept, metrics } = dependencies;

  const answer = (
    exchange: Exchange,
    caller: OutcomeCaller,
    report: ReportedOutcome,
    result: OutcomeAnswer,
  ): void => {
    switch (result.kind) {
      case "stored":
        metrics.outcomeStored(report.outcome, caller.mode);
        return exchange.send(200, JSON.stringify(toResponse(report)));
      case "unavailable":
        metrics.rejected("journal_unavailable");
        return exchange.fail(JOURNAL_FULL);
      default:
        return unreachable(result);
    }
  };

  return {
    method: "POST",
    onRepeat: "again",
    path: "/v1/outcomes",
    access: { scope: "outcome:write" },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    handle(exchange, { workspaceId, mode, merchantScope }, _params, body) {
      const parsed = validator.parse(body);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const report = toReport(parsed.value);
      if (journalIsFull()) {
        metrics.rejected("journal_full");
        return exchange.fail(JOURNAL_FULL);
      }
      const { decisionId, orderId } = report;
      if (!isId(decisionId, "dec")) return exchange.fail(MISMATCHES.unknown);
      const ids = decisionIds();
      if (ids === null) return exchange.fail(STARTING);
      // First, because a decision past its limit is answered like an unknown one whatever else the report says.
      if (!isKept(workspaceId, decisionId)) return exchange.fail(MISMATCHES.unknown);
      const mismatch = ids.mismatch(decisionId, { workspaceId, mode, merchantId: merchantScope, orderId });
      if (mismatch !== null) return exchange.fail(MISMATCHES[mismatch]);
      const caller = { workspaceId, mode, merchantScope };
      const accepted = submit({
        report: { ...report, ...caller },
        receivedAtMs: monotonicMs(),
        settle: (result) => {
          try {
            answer(exchange, caller, report, result);
          } catch (error) {
            exchange.handlerFailed(error);
          }
        },
      });
      if (accepted === "full") {
        metrics.rejected("pool_full");
        exchange.fail(OVERLOADED);
      }
    },
  };
}

/** OUT-10 and OUT-11: the answers to a decision id that does not match. */
const MISMATCHES = {
  unknown: { kind: "not_found", message: "Decision not found" },
  merchant: { kind: "other_merchant_scope" },
  order: {
    kind: "invalid",
    issues: [{ path: "order_id", code: "custom", message: "Is not the order of the decision" }],
  },
} as const satisfies Record<DecisionIdMismatch, ApiError>;

/** OUT-6: resolves aliases and keeps everything else as reported. */
function toReport(body: OutcomeReportBody): ReportedOutcome {
  const providerReasonCode = body.provider_reason_code ?? null;
  const technicalFailureType = body.technical_failure_type ?? null;
  return {
    decisionId: body.decision_id,
    orderId: body.order_id,
    providerUsed: body.provider_used,
    outcome: normalizeOutcome(body.outcome, providerReasonCode, technicalFailureType),
    technicalFailureType,
    providerLatencyMs: body.provider_latency_ms,
    providerReasonCode,
    amountMinor: body.amount,
    currency: body.currency,
    createdAtMs: body.created_at === undefined ? null : parseTimestamp(body.created_at),
  };
}

/** OUT-8: the fields of the response. */
function toResponse({ decisionId, outcome, technicalFailureType }: ReportedOutcome): OutcomeReceiptBody {
  return {
    outcome_id: outcomeIdOf(decisionId),
    decision_id: decisionId,
    outcome,
    failure_class: FAILURE_CLASSES[outcome],
    technical_failure_type: technicalFailureType,
    approved: isApproved(outcome),
  };
}
