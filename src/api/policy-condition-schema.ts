import { LIMITS } from "../shared/limits.js";
import {
  CARD_NETWORKS,
  CUSTOMER_TYPES,
  DECISION_MODES,
  HEALTH_STATES,
  MODES,
  PAYMENT_METHODS,
  PREVIOUS_OUTCOMES,
  REPORTED_RISK_BANDS,
  RISK_BANDS,
  TRANSACTION_TYPES,
} from "../shared/vocabulary.js";
import type { BooleanField, ListedField, NumericField } from "../policy/condition-fields.js";
import type { JsonSchema } from "./body-validator.js";
import { countrySchema, currencySchema } from "./decision-schema.js";

/** The smallest and largest value that a request can bring, and therefore that a bound can sensibly have. */
const NUMERIC_BOUNDS: Readonly<Record<NumericField, readonly [minimum: number, maximum: number]>> = {
  amount: [0, LIMITS.amountMinorMax],
  risk_score: [0, 100],
  velocity_count_10m: [0, LIMITS.countMax],
  velocity_count_1h: [0, LIMITS.countMax],
  velocity_amount_1h: [0, LIMITS.countMax],
  previous_success_count: [0, LIMITS.countMax],
  previous_decline_count: [0, LIMITS.countMax],
  order_age_seconds: [0, LIMITS.countMax],
  merchant_supplied_risk_score: [0, 100],
  computed_risk_score: [0, 100],
  offered_provider_count: [0, 100],
  hour_utc: [0, 23],
  weekday_utc: [1, 7],
};

/** `hour_utc_lt: 24` and `weekday_utc_gt: 0` say something, so the open bounds reach one further. */
function numericSchemas(field: NumericField): [key: string, schema: JsonSchema][] {
  const [minimum, maximum] = NUMERIC_BOUNDS[field];
  const above = Math.min(maximum + 1, Number.MAX_SAFE_INTEGER);
  const closed = { type: "integer", minimum, maximum };
  return [
    [`${field}_gte`, closed],
    [`${field}_gt`, { type: "integer", minimum: minimum - 1, maximum }],
    [`${field}_lte`, closed],
    [`${field}_lt`, { type: "integer", minimum, maximum: above }],
  ];
}

const oneOf = (values: readonly string[]): JsonSchema => ({ type: "string", enum: values });

/** contract §5 `when`, strict; conditions within conditions refer to it by `#`. */
export function conditionsSchema(providers: readonly string[]): JsonSchema {
  const listed: Readonly<Record<ListedField | "offered_provider", JsonSchema>> = {
    currency: currencySchema,
    country: countrySchema,
    payment_method: oneOf(PAYMENT_METHODS),
    card_network: oneOf(CARD_NETWORKS),
    transaction_type: oneOf(TRANSACTION_TYPES),
    customer_type: oneOf(CUSTOMER_TYPES),
    risk_level: oneOf(REPORTED_RISK_BANDS),
    device_risk_band: oneOf(REPORTED_RISK_BANDS),
    risk_band: oneOf(RISK_BANDS),
    previous_provider: oneOf(providers),
    previous_outcome: oneOf(PREVIOUS_OUTCOMES),
    previous_reason_code: {
      type: "string",
      minLength: 1,
      maxLength: LIMITS.providerReasonCodeCharsMax,
    },
    offered_provider: oneOf(providers),
    mode: oneOf(MODES),
    decision_mode: oneOf(DECISION_MODES),
  };
  const flags: Readonly<Record<BooleanField, JsonSchema>> = {
    ip_country_match: { type: "boolean" },
    has_previous_attempt: { type: "boolean" },
  };
  // An empty list is a warning, not an error: it never matches.
  const listOf = (items: JsonSchema): JsonSchema => ({
    type: "array",
    items,
    maxItems: LIMITS.conditionValuesMax,
  });
  const branches: JsonSchema = { type: "array", items: { $ref: "#" } };
  return {
    type: "object",
    additionalProperties: false,
    properties: {
      ...Object.fromEntries((Object.keys(NUMERIC_BOUNDS) as NumericField[]).flatMap(numericSchemas)),
      ...Object.fromEntries(
        Object.entries(listed).flatMap(([field, items]) => [
          [`${field}_in`, listOf(items)],
          [`${field}_not_in`, listOf(items)],
        ]),
      ),
      ...Object.fromEntries(Object.entries(flags).map(([field, schema]) => [`${field}_is`, schema])),
      provider_health_state_in: {
        type: "object",
        additionalProperties: false,
        required: ["provider", "states"],
        properties: { provider: oneOf(providers), states: listOf(oneOf(HEALTH_STATES)) },
      },
      sample_bps_lt: { type: "integer", minimum: 0, maximum: 10_000 },
      any_of: branches,
      all_of: branches,
      none_of: branches,
    },
  };
}
