import { LIMITS } from "../../../domain/vocabulary/limits.js";
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
} from "../../../domain/vocabulary/vocabulary.js";
import type { BooleanField, ListedField, NumericField } from "../../../domain/policy/condition-fields.js";

/** Every value a request can bring for a field, after validation and defaults; `optional` fields may be absent. */
export interface NumericDomain {
  /** Integers, both included. */
  readonly lowest: number;
  readonly highest: number;
  readonly optional: boolean;
}
export interface ListedDomain {
  /** null: too many to list; taken as endless. */
  readonly values: readonly string[] | null;
  readonly optional: boolean;
}

const count: NumericDomain = { lowest: 0, highest: LIMITS.countMax, optional: true };
const score: NumericDomain = { lowest: 0, highest: 100, optional: true };

/** What validation lets through: REQ-5 to REQ-20. */
export const NUMERIC_DOMAINS: Readonly<Record<NumericField, NumericDomain>> = {
  amount: { lowest: 1, highest: LIMITS.amountMinorMax, optional: false },
  risk_score: score,
  velocity_count_10m: count,
  velocity_count_1h: count,
  velocity_amount_1h: count,
  previous_success_count: count,
  previous_decline_count: count,
  order_age_seconds: count,
  merchant_supplied_risk_score: score,
  computed_risk_score: { ...score, optional: false },
  // How many providers a deployment has is looked at with the offer itself.
  offered_provider_count: { lowest: 1, highest: LIMITS.countMax, optional: false },
  hour_utc: { lowest: 0, highest: 23, optional: false },
  weekday_utc: { lowest: 1, highest: 7, optional: false },
};

/** `sample_bps_lt` compares a bucket 0..9999. */
export const SAMPLE_DOMAIN: NumericDomain = { lowest: 0, highest: 9999, optional: false };

/** Providers are a setting, so they are no part of this table. */
export const LISTED_DOMAINS: Readonly<Record<Exclude<ListedField, "previous_provider">, ListedDomain>> = {
  currency: { values: null, optional: false },
  country: { values: null, optional: false },
  payment_method: { values: PAYMENT_METHODS, optional: false },
  card_network: { values: CARD_NETWORKS, optional: true },
  transaction_type: { values: TRANSACTION_TYPES, optional: false },
  customer_type: { values: CUSTOMER_TYPES, optional: true },
  risk_level: { values: REPORTED_RISK_BANDS, optional: true },
  device_risk_band: { values: REPORTED_RISK_BANDS, optional: true },
  risk_band: { values: RISK_BANDS, optional: false },
  previous_outcome: { values: PREVIOUS_OUTCOMES, optional: true },
  previous_reason_code: { values: null, optional: true },
  mode: { values: MODES, optional: false },
  decision_mode: { values: DECISION_MODES, optional: false },
};

export const BOOLEAN_DOMAINS: Readonly<Record<BooleanField, ListedDomain>> = {
  ip_country_match: { values: ["true", "false"], optional: true },
  has_previous_attempt: { values: ["true", "false"], optional: false },
};
