import { LIMITS } from "../vocabulary/limits.js";
import {
  CARD_NETWORKS,
  CUSTOMER_TYPES,
  DECISION_MODES,
  MODES,
  PAYMENT_METHODS,
  PREVIOUS_OUTCOMES,
  REPORTED_RISK_BANDS,
  RISK_BANDS,
  TRANSACTION_TYPES,
} from "../vocabulary/vocabulary.js";
import type { ConditionFamily, FieldRow } from "./condition-row.js";

const SCORE = [0, 100] as const;
const COUNT = [0, LIMITS.countMax] as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const family = <const Family extends ConditionFamily, const Rows extends Readonly<Record<string, FieldRow>>>(
  name: Family,
  rows: Rows,
): { readonly [Field in keyof Rows]: Rows[Field] & { readonly family: Family } } =>
  Object.fromEntries(
    Object.entries(rows).map(([field, row]) => [field, { family: name, ...row }]),
  ) as unknown as {
    [Field in keyof Rows]: Rows[Field] & { family: Family };
  };

/**
 * Every field that a `when` may name, listed once (COND-8 to COND-16). The schema, the compiler, the explanation, the
 * linter, the translator, the dashboard's editor and the tests' generators read this table.
 */
export const CONDITION_FIELDS = {
  ...family("order", {
    order_id: {
      kind: "prefix",
      optional: false,
      read: (facts) => facts.orderId,
      english: "order id | order ids | order number | order numbers",
    },
  }),
  ...family("transaction", {
    amount: {
      kind: "number",
      bounds: [1, LIMITS.amountMinorMax],
      ruleMin: 0,
      isMoney: true,
      optional: false,
      read: (facts) => facts.amount,
      english:
        "amount | amounts | payment amount | transaction amount | order amount | order value | order total | total",
    },
    currency: {
      kind: "list",
      values: "currency",
      optional: false,
      read: (facts) => facts.currency,
      english: "currency | currencies",
    },
    country: {
      kind: "list",
      values: "country",
      optional: false,
      read: (facts) => facts.country,
      english: "country | countries | transaction country",
    },
    payment_method: {
      kind: "list",
      values: PAYMENT_METHODS,
      optional: false,
      read: (facts) => facts.paymentMethod,
      english: "payment method | payment methods | method",
    },
    card_network: {
      kind: "list",
      values: CARD_NETWORKS,
      optional: true,
      read: (facts) => facts.cardNetwork,
      english: "card network | card networks | network",
    },
    transaction_type: {
      kind: "list",
      values: TRANSACTION_TYPES,
      optional: false,
      isDefaulted: true,
      read: (facts) => facts.transactionType,
      english: "transaction type | transaction types | payment type",
    },
    customer_type: {
      kind: "list",
      values: CUSTOMER_TYPES,
      optional: true,
      read: (facts) => facts.customerType,
      english: "customer type",
    },
    risk_level: {
      kind: "list",
      values: REPORTED_RISK_BANDS,
      optional: true,
      read: (facts) => facts.riskLevel,
      english: "risk level | risk levels",
    },
    risk_score: {
      kind: "number",
      bounds: SCORE,
      optional: true,
      read: (facts) => facts.riskScore,
      english: "risk score | risk scores | fraud scores | transaction risk score | fraud score",
    },
  }),
  ...family("risk_signals", {
    velocity_count_10m: {
      kind: "number",
      bounds: COUNT,
      optional: true,
      read: (facts) => facts.velocityCount10m,
      english:
        "velocity count 10m | velocity count over 10 minutes | velocity count in last 10 minutes | velocity in last 10 minutes | velocity in 10 minutes | velocity over 10 minutes | velocity over last 10 minutes | 10 minute velocity",
      phrases: ["NumRange attempts In tenminutes"],
    },
    velocity_count_1h: {
      kind: "number",
      bounds: COUNT,
      optional: true,
      read: (facts) => facts.velocityCount1h,
      english:
        "velocity count 1h | velocity count over 1 hour | velocity count in last hour | velocity in last hour | velocity in 1 hour | velocity over 1 hour | velocity over last hour | 1 hour velocity | hourly velocity",
      phrases: ["NumRange attempts In onehour"],
    },
    velocity_amount_1h: {
      kind: "number",
      bounds: COUNT,
      isMoney: true,
      optional: true,
      read: (facts) => facts.velocityAmount1h,
      english:
        "velocity amount 1h | hourly amount | hourly velocity amount | total attempted in last hour | amount attempted in last hour | velocity amount in last hour | velocity amount",
      phrases: ["MoneyRange attempted In onehour", "attempted MoneyRange In onehour"],
    },
    previous_success_count: {
      kind: "number",
      bounds: COUNT,
      optional: true,
      read: (facts) => facts.previousSuccessCount,
      english:
        "previous successful payments | prior successful payments | past successful payments | earlier successful payments | successful payments | successful payment | previous successful payment | prior successful payment | previous successes | prior successes | previous success | previous success count | previous successful orders | lifetime successes | successes | lifetime successful payments",
      isCounted: true,
    },
    previous_decline_count: {
      kind: "number",
      bounds: COUNT,
      optional: true,
      read: (facts) => facts.previousDeclineCount,
      english:
        "previous declines | prior declines | past declines | previous declined payments | declined payments | declined payment | previous declined payment | earlier declines | previous decline count | previous decline | lifetime declines | declines | decline count",
      isCounted: true,
    },
    order_age_seconds: {
      kind: "number",
      bounds: COUNT,
      optional: true,
      read: (facts) => facts.orderAgeSeconds,
      english: "order age seconds",
    },
    device_risk_band: {
      kind: "list",
      values: REPORTED_RISK_BANDS,
      optional: true,
      read: (facts) => facts.deviceRiskBand,
      english: "device risk | device risk band | device risk level",
    },
    ip_country_match: {
      kind: "flag",
      optional: true,
      read: (facts) => facts.ipCountryMatch,
      english: "ip country match",
      phrases: {
        true: ["ipcountry matches country?"],
        false: ["there? ipcountry (has | is)? mismatch country?"],
      },
    },
    merchant_supplied_risk_score: {
      kind: "number",
      bounds: SCORE,
      optional: true,
      read: (facts) => facts.merchantSuppliedRiskScore,
      english: "merchant supplied risk score | merchant risk score | supplied risk score",
    },
  }),
  ...family("computed", {
    computed_risk_score: {
      kind: "number",
      bounds: SCORE,
      optional: false,
      read: (facts) => facts.computedRiskScore,
      english: "computed risk score | computed risk | calculated risk score | computed score",
    },
    risk_band: {
      kind: "list",
      values: RISK_BANDS,
      optional: false,
      read: (facts) => facts.riskBand,
      english: "risk band | computed risk band",
    },
  }),
  ...family("previous_attempt", {
    has_previous_attempt: {
      kind: "flag",
      optional: false,
      read: (facts) => facts.hasPreviousAttempt,
      english: null,
    },
    previous_provider: {
      kind: "list",
      values: "provider",
      optional: true,
      read: (facts) => facts.previousProvider,
      english: "previous provider | last provider | prior provider",
    },
    previous_outcome: {
      kind: "list",
      values: PREVIOUS_OUTCOMES,
      optional: true,
      read: (facts) => facts.previousOutcome,
      english: "previous outcome | last outcome | prior outcome | previous result | previous attempt outcome",
    },
    previous_reason_code: {
      kind: "list",
      values: "reason_code",
      optional: true,
      read: (facts) => facts.previousReasonCode,
      english:
        "previous reason code | previous provider reason code | prior reason code | last reason code | previous decline code | last decline code | previous decline reason | previous response code",
    },
  }),
  ...family("offer", {
    offered_provider: {
      kind: "set",
      values: "provider",
      optional: false,
      read: (facts) => facts.offeredProviders,
      english: null,
    },
    offered_provider_count: {
      kind: "number",
      bounds: [1, 100],
      ruleMin: 0,
      optional: false,
      read: (facts) => facts.offeredProviders.length,
      english: "offered provider count",
      phrases: ["NumRange offered providerword"],
    },
    provider_health_state: {
      kind: "provider_states",
      optional: false,
      english: null,
    },
  }),
  ...family("rollout", {
    sample_bps: {
      kind: "sample",
      optional: false,
      english: null,
    },
    hour_utc: {
      kind: "number",
      bounds: [0, 23],
      optional: false,
      read: (facts) => Math.floor(facts.nowMs / HOUR_MS) % 24,
      english: "hour utc | utc hour",
    },
    weekday_utc: {
      kind: "number",
      bounds: [1, 7],
      optional: false,
      // COND-15: 1 = Monday. The 3 is there because 1970-01-01 was a Thursday.
      read: (facts) => ((Math.floor(facts.nowMs / DAY_MS) + 3) % 7) + 1,
      english: "weekday utc",
    },
    mode: {
      kind: "list",
      values: MODES,
      optional: false,
      read: (facts) => facts.mode,
      english: "mode",
    },
    decision_mode: {
      kind: "list",
      values: DECISION_MODES,
      optional: false,
      isDefaulted: true,
      read: (facts) => facts.decisionMode,
      english: "decision mode",
    },
  }),
} as const;

export type ConditionField = keyof typeof CONDITION_FIELDS;
