import type { HealthStates, PolicyFacts } from "../policy/policy-facts.js";
import type { Risk } from "../risk/assess-risk.js";
import type { DecisionRequest, RiskSignals } from "../vocabulary/decision-request.js";
import type { DecisionMode, Mode } from "../vocabulary/vocabulary.js";

/** REQ-9: the default of `transaction.transaction_type`. */
const DEFAULT_TRANSACTION_TYPE = "authorization";
const NO_SIGNALS: RiskSignals = {};

/** The request in the form that a policy's conditions read. `decisionMode` is the effective one. */
export function toPolicyFacts(
  request: DecisionRequest,
  mode: Mode,
  decisionMode: DecisionMode,
  risk: Pick<Risk, "score" | "band">,
  nowMs: number,
  health: HealthStates,
): PolicyFacts {
  const { transaction, previous_attempt: previous, risk_signals: signals = NO_SIGNALS } = request;
  return {
    orderId: request.order_id,
    amount: transaction.amount,
    currency: transaction.currency,
    country: transaction.country,
    paymentMethod: transaction.payment_method,
    cardNetwork: transaction.card_network,
    transactionType: transaction.transaction_type ?? DEFAULT_TRANSACTION_TYPE,
    customerType: transaction.customer_type,
    riskLevel: transaction.risk_level,
    riskScore: transaction.risk_score,
    velocityCount10m: signals.velocity_count_10m,
    velocityCount1h: signals.velocity_count_1h,
    velocityAmount1h: signals.velocity_amount_1h,
    previousSuccessCount: signals.previous_success_count,
    previousDeclineCount: signals.previous_decline_count,
    orderAgeSeconds: signals.order_age_seconds,
    deviceRiskBand: signals.device_risk_band,
    ipCountryMatch: signals.ip_country_match,
    merchantSuppliedRiskScore: signals.merchant_supplied_risk_score,
    computedRiskScore: risk.score,
    riskBand: risk.band,
    hasPreviousAttempt: previous !== undefined,
    previousProvider: previous?.provider,
    previousOutcome: previous?.outcome,
    previousReasonCode: previous?.provider_reason_code,
    offeredProviders: request.available_providers,
    mode,
    decisionMode,
    nowMs,
    health,
  };
}
