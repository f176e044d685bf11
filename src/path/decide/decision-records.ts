import type { Decision } from "../../domain/decision/decision.js";
import type { DecisionRecord } from "../journal/decision-record.js";
import { retryNumber, type KnownAttempts } from "../../domain/decision/scheme-retry.js";
import type { RetryRecord } from "../journal/retry-record.js";
import { previousOutcome } from "../../domain/outcomes/normalize-outcome.js";
import { compareCosts, type CostComparison } from "../../domain/pricing/cost-comparison.js";
import type { DecisionRequest } from "../../domain/vocabulary/decision-request.js";

/** Makes the journal's record of a decision. `doc` is the decision's document in parts. */
export function toRecord(
  workspaceId: string,
  request: DecisionRequest,
  decision: Decision,
  latencyMs: number,
  doc: readonly string[],
): DecisionRecord {
  return {
    workspaceId,
    decisionId: decision.decisionId,
    mode: decision.mode,
    decisionMode: decision.decisionMode,
    action: decision.instruction.action,
    paymentMethod: request.transaction.payment_method,
    country: request.transaction.country,
    cardNetwork: request.transaction.card_network ?? null,
    riskBand: decision.risk.band,
    riskScore: decision.risk.score,
    amountMinor: request.transaction.amount,
    latencyMs,
    merchantId: request.merchant_id,
    orderId: request.order_id,
    currency: request.transaction.currency,
    primaryProvider: decision.instruction.route?.primaryProvider ?? "",
    fallbackProvider: decision.instruction.route?.fallbackProvider ?? "",
    doc,
  };
}

/** Compares the costs of a decision. Null without real pricing. */
export function toCost({ model, evaluations }: Decision): CostComparison | null {
  // Most decisions are deterministic-v1, which has no costs to compare.
  if (model.price === null) return null;
  return compareCosts(
    model.price.quote,
    evaluations.map(({ quote }) => quote),
  );
}

/**
 * Makes the record of a retry. Null without a previous attempt. `known` has the order's attempts, if they are counted.
 */
export function toRetryRecord(
  workspaceId: string,
  { previous_attempt: attempt }: DecisionRequest,
  { decisionId, mode }: Decision,
  known: KnownAttempts | undefined,
): RetryRecord | null {
  if (attempt === undefined) return null;
  const failedOutcome = previousOutcome(attempt);
  const retry = { workspaceId, decisionId, mode, failedProvider: attempt.provider, failedOutcome };
  const code = attempt.provider_reason_code;
  // RTRY-19: if attempts are counted, the service learns the retry's result by code and attempt number.
  return known === undefined || code === undefined ? retry : { ...retry, code, attempt: retryNumber(known) };
}
