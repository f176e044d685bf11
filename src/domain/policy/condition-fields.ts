import type { PolicyFacts } from "./policy-facts.js";
import type { Conditions } from "./policy.js";

type Key = keyof Conditions;
/** Fields that take `_gte _gt _lte _lt`. */
export type NumericField = Key extends infer K ? (K extends `${infer Field}_gte` ? Field : never) : never;
/** Fields that take `_in _not_in`; the offered providers are a list themselves and are compiled apart. */
export type ListedField = Exclude<
  Key extends infer K ? (K extends `${infer Field}_not_in` ? Field : never) : never,
  "offered_provider"
>;
/** Fields that take `_is`. */
export type BooleanField = Key extends infer K ? (K extends `${infer Field}_is` ? Field : never) : never;
/** The keys with a form of their own. */
export type SpecialKey = Exclude<
  Key,
  | `${NumericField}_${"gte" | "gt" | "lte" | "lt"}`
  | `${ListedField}_${"in" | "not_in"}`
  | `${BooleanField}_is`
>;

type Readers<Field extends string, Value> = Readonly<
  Record<Field, (facts: PolicyFacts) => Value | undefined>
>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The table of condition families. */
export const NUMERIC_FIELDS: Readers<NumericField, number> = {
  amount: (facts) => facts.amount,
  risk_score: (facts) => facts.riskScore,
  velocity_count_10m: (facts) => facts.velocityCount10m,
  velocity_count_1h: (facts) => facts.velocityCount1h,
  velocity_amount_1h: (facts) => facts.velocityAmount1h,
  previous_success_count: (facts) => facts.previousSuccessCount,
  previous_decline_count: (facts) => facts.previousDeclineCount,
  order_age_seconds: (facts) => facts.orderAgeSeconds,
  merchant_supplied_risk_score: (facts) => facts.merchantSuppliedRiskScore,
  computed_risk_score: (facts) => facts.computedRiskScore,
  offered_provider_count: (facts) => facts.offeredProviders.length,
  hour_utc: (facts) => Math.floor(facts.nowMs / HOUR_MS) % 24,
  // 1970-01-01 was a Thursday; COND-15: 1 = Monday.
  weekday_utc: (facts) => ((Math.floor(facts.nowMs / DAY_MS) + 3) % 7) + 1,
};

export const LISTED_FIELDS: Readers<ListedField, string> = {
  currency: (facts) => facts.currency,
  country: (facts) => facts.country,
  payment_method: (facts) => facts.paymentMethod,
  card_network: (facts) => facts.cardNetwork,
  transaction_type: (facts) => facts.transactionType,
  customer_type: (facts) => facts.customerType,
  risk_level: (facts) => facts.riskLevel,
  device_risk_band: (facts) => facts.deviceRiskBand,
  risk_band: (facts) => facts.riskBand,
  previous_provider: (facts) => facts.previousProvider,
  previous_outcome: (facts) => facts.previousOutcome,
  previous_reason_code: (facts) => facts.previousReasonCode,
  mode: (facts) => facts.mode,
  decision_mode: (facts) => facts.decisionMode,
};

export const BOOLEAN_FIELDS: Readers<BooleanField, boolean> = {
  ip_country_match: (facts) => facts.ipCountryMatch,
  has_previous_attempt: (facts) => facts.hasPreviousAttempt,
};
