import type { OutcomeReceiptBody } from "../../api/response/outcome-response-schema.js";
import type { OutcomeJob } from "../../actors/decision-pool.js";
import type { OutcomeAnswer } from "../../actors/messages.js";
import type { OutcomeReportBody } from "../../api/outcome-schema.js";
import type { Validator } from "../../api/body-validator.js";
import type { LiveOutcome } from "../../health/live-outcome.js";
import { FAILURE_CLASSES, isApproved } from "../../outcomes/classification.js";
import { normalizeOutcome } from "../../outcomes/normalize-outcome.js";
import {
  outcomeIdOf,
  type FailedAttempt,
  type OutcomeCaller,
  type ReportedOutcome,
} from "../../outcomes/reported-outcome.js";
import type { DecisionLookup } from "../../read/decision-lookup.js";
import { isId } from "../../shared/ids.js";
import { LIMITS } from "../../shared/limits.js";
import { monotonicMs } from "../../shared/clock.js";
import { parseTimestamp } from "../../shared/timestamp.js";
import { unreachable } from "../../shared/unreachable.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { ApiError } from "../api-error.js";
import type { Exchange } from "../exchange.js";
import type { ScopedRoute } from "../route.js";

export interface OutcomesRouteDependencies {
  validator: Validator<OutcomeReportBody>;
  lookUp: DecisionLookup;
  submit(job: OutcomeJob): "accepted" | "full";
  journalIsFull(): boolean;
  /** The report is journalled; provider health may learn from it. */
  onStored(outcome: LiveOutcome): void;
  metrics: Metrics;
}

const UNKNOWN_DECISION: ApiError = { kind: "not_found", message: "Decision not found" };
const OVERLOADED: ApiError = { kind: "unavailable", message: "The service is at its capacity" };
const JOURNAL_FULL: ApiError = { kind: "unavailable", message: "Outcomes cannot be recorded right now" };
const DECISION_NOT_AT_HAND: ApiError = {
  kind: "unavailable",
  message: "The decision cannot be looked up right now",
};

/** POST /v1/outcomes: 200 once the report is in the journal. */
export function outcomesRoute(dependencies: OutcomesRouteDependencies): ScopedRoute {
  const { validator, lookUp, submit, journalIsFull, onStored, metrics } = dependencies;

  const answer = (
    exchange: Exchange,
    caller: OutcomeCaller,
    report: ReportedOutcome,
    result: OutcomeAnswer,
  ): void => {
    switch (result.kind) {
      case "stored":
        metrics.outcomeStored(report.outcome, caller.mode);
        countRetry(metrics, report, result.retryOf);
        onStored(toLiveOutcome(report, caller, result));
        return exchange.send(200, JSON.stringify(toResponse(report)));
      case "refused":
        return exchange.fail(REFUSALS[result.refusal]);
      case "decision_not_at_hand":
        return exchange.fail(DECISION_NOT_AT_HAND);
      case "unavailable":
        metrics.rejected("journal_unavailable");
        return exchange.fail(JOURNAL_FULL);
      default:
        return unreachable(result);
    }
  };

  return {
    method: "POST",
    path: "/v1/outcomes",
    access: { scope: "outcome:write" },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, caller, _params, body) {
      const parsed = validator.parse(body);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const report = toReport(parsed.value);
      if (journalIsFull()) {
        metrics.rejected("journal_full");
        return exchange.fail(JOURNAL_FULL);
      }
      if (!isId(report.decisionId, "dec")) return exchange.fail(UNKNOWN_DECISION);
      const { workspaceId, mode } = caller;
      const decision = await lookUp({ workspaceId, mode, decisionId: report.decisionId });
      if (decision === null) return exchange.fail(UNKNOWN_DECISION);
      if (decision === "full" || exchange.done) return exchange.fail(OVERLOADED);
      const accepted = submit({
        report,
        caller,
        decision: decision === "unavailable" ? null : decision,
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

const REFUSALS = {
  unknown_decision: UNKNOWN_DECISION,
  merchant_scope: { kind: "other_merchant_scope" },
  order_mismatch: {
    kind: "invalid",
    issues: [{ path: "order_id", code: "custom", message: "Is not the order of the decision" }],
  },
} as const satisfies Record<string, ApiError>;

/** contract §6: aliases resolved; everything else as reported. */
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

/** spec "Outcome", response fields. */
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

function countRetry(
  metrics: Metrics,
  { providerUsed, outcome }: ReportedOutcome,
  failed: FailedAttempt | null,
): void {
  if (failed === null) return;
  const failureClass = FAILURE_CLASSES[failed.outcome];
  metrics.retryReported(failed.provider, failureClass, providerUsed === failed.provider, isApproved(outcome));
}

function toLiveOutcome(
  report: ReportedOutcome,
  { workspaceId, mode }: OutcomeCaller,
  stored: Extract<OutcomeAnswer, { kind: "stored" }>,
): LiveOutcome {
  return {
    decisionId: report.decisionId,
    workspaceId,
    mode,
    provider: report.providerUsed,
    paymentMethod: stored.paymentMethod,
    currency: report.currency,
    outcome: report.outcome,
    technicalFailureType: report.technicalFailureType,
    latencyMs: report.providerLatencyMs,
    atMs: report.createdAtMs ?? stored.reportedAtMs,
  };
}
