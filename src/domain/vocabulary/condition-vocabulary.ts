import { LIMITS } from "./limits.js";
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
} from "./vocabulary.js";

/** The families of conditions. */
export const CONDITION_FAMILIES = [
  "transaction",
  "risk_signals",
  "computed",
  "previous_attempt",
  "offer",
  "rollout",
] as const;
export type ConditionFamily = (typeof CONDITION_FAMILIES)[number];

/** What a list of a condition holds: values of the vocabulary, or of a kind that has no short list. */
export type ListedValues = readonly string[] | "currency" | "country" | "provider" | "reason_code";

type FieldShape = { family: ConditionFamily } & (
  | /** `_gte _gt _lte _lt`; the smallest and largest value that a request can bring. */
    { kind: "number"; bounds: readonly [minimum: number, maximum: number] }
  /** `_in _not_in` */
  | { kind: "list"; values: ListedValues }
  /** `_is` */
  | { kind: "flag" }
  /** `_in` alone, of `{provider, states}` */
  | { kind: "provider_states" }
  /** `_lt` alone, of 10 000 */
  | { kind: "sample" }
);

const SCORE = [0, 100] as const;
const COUNT = [0, LIMITS.countMax] as const;

/** Every field that a `when` may ask for, once: the schema and the editor both read this table. */
export const CONDITION_FIELDS = {
  amount: { family: "transaction", kind: "number", bounds: [0, LIMITS.amountMinorMax] },
  currency: { family: "transaction", kind: "list", values: "currency" },
  country: { family: "transaction", kind: "list", values: "country" },
  payment_method: { family: "transaction", kind: "list", values: PAYMENT_METHODS },
  card_network: { family: "transaction", kind: "list", values: CARD_NETWORKS },
  transaction_type: { family: "transaction", kind: "list", values: TRANSACTION_TYPES },
  customer_type: { family: "transaction", kind: "list", values: CUSTOMER_TYPES },
  risk_level: { family: "transaction", kind: "list", values: REPORTED_RISK_BANDS },
  risk_score: { family: "transaction", kind: "number", bounds: SCORE },
  velocity_count_10m: { family: "risk_signals", kind: "number", bounds: COUNT },
  velocity_count_1h: { family: "risk_signals", kind: "number", bounds: COUNT },
  velocity_amount_1h: { family: "risk_signals", kind: "number", bounds: COUNT },
  previous_success_count: { family: "risk_signals", kind: "number", bounds: COUNT },
  previous_decline_count: { family: "risk_signals", kind: "number", bounds: COUNT },
  order_age_seconds: { family: "risk_signals", kind: "number", bounds: COUNT },
  device_risk_band: { family: "risk_signals", kind: "list", values: REPORTED_RISK_BANDS },
  ip_country_match: { family: "risk_signals", kind: "flag" },
  merchant_supplied_risk_score: { family: "risk_signals", kind: "number", bounds: SCORE },
  computed_risk_score: { family: "computed", kind: "number", bounds: SCORE },
  risk_band: { family: "computed", kind: "list", values: RISK_BANDS },
  has_previous_attempt: { family: "previous_attempt", kind: "flag" },
  previous_provider: { family: "previous_attempt", kind: "list", values: "provider" },
  previous_outcome: { family: "previous_attempt", kind: "list", values: PREVIOUS_OUTCOMES },
  previous_reason_code: { family: "previous_attempt", kind: "list", values: "reason_code" },
  offered_provider: { family: "offer", kind: "list", values: "provider" },
  offered_provider_count: { family: "offer", kind: "number", bounds: [0, 100] },
  provider_health_state: { family: "offer", kind: "provider_states" },
  sample_bps: { family: "rollout", kind: "sample" },
  hour_utc: { family: "rollout", kind: "number", bounds: [0, 23] },
  weekday_utc: { family: "rollout", kind: "number", bounds: [1, 7] },
  mode: { family: "rollout", kind: "list", values: MODES },
  decision_mode: { family: "rollout", kind: "list", values: DECISION_MODES },
} as const satisfies Record<string, FieldShape>;

export type ConditionField = keyof typeof CONDITION_FIELDS;
export type ConditionKind = FieldShape["kind"];
type Fields = typeof CONDITION_FIELDS;
/** The fields of one kind. */
export type FieldOf<Kind extends ConditionKind> = {
  [F in ConditionField]: Fields[F]["kind"] extends Kind ? F : never;
}[ConditionField];

/** What an operator's key ends with, by kind; the key is field, `_`, ending. */
export const CONDITION_OPERATORS = {
  number: ["gte", "gt", "lte", "lt"],
  list: ["in", "not_in"],
  flag: ["is"],
  provider_states: ["in"],
  sample: ["lt"],
} as const satisfies Record<ConditionKind, readonly string[]>;
export type ConditionOperator = (typeof CONDITION_OPERATORS)[ConditionKind][number];

/** Of the whole, for `sample_bps_lt`. */
export const SAMPLE_BPS_MAX = 10_000;

/** Lists of conditions, nested at most `LIMITS.conditionLevelsMax` deep. */
export const CONDITION_GROUPS = ["any_of", "all_of", "none_of"] as const;
export type ConditionGroup = (typeof CONDITION_GROUPS)[number];

export const CONDITION_FIELD_NAMES = Object.keys(CONDITION_FIELDS) as ConditionField[];

export function conditionFieldsOf<Kind extends ConditionKind>(kind: Kind): FieldOf<Kind>[] {
  return CONDITION_FIELD_NAMES.filter((name): name is FieldOf<Kind> => CONDITION_FIELDS[name].kind === kind);
}
