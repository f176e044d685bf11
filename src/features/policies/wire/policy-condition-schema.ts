import { CONDITION_FIELDS } from "../../../domain/policy/condition-fields.js";
import type { ListedValues } from "../../../domain/policy/condition-row.js";
import {
  ruleBounds,
  CONDITION_GROUPS,
  conditionFieldsOf,
  type FieldOf,
  SAMPLE_BPS_MAX,
} from "../../../domain/policy/condition-vocabulary.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { HEALTH_STATES } from "../../../domain/vocabulary/vocabulary.js";
import type { JsonSchema } from "../../../platform/wire/body-validator.js";
import { countrySchema, currencySchema, orderIdSchema } from "../../../platform/wire/scalars.js";

/**
 * The bounds of `_lt` and `_gt` reach one beyond the field's values, so that `hour_utc_lt: 24` and `weekday_utc_gt: 0`
 * are valid.
 */
function numericSchemas(field: FieldOf<"number">): [key: string, schema: JsonSchema][] {
  const [minimum, maximum] = ruleBounds(field);
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

// An empty list never matches. The linter warns about it, so it is not an error here.
const listOf = (items: JsonSchema): JsonSchema => ({
  type: "array",
  items,
  maxItems: LIMITS.conditionValuesMax,
});

/** COND-1: the strict schema of `when`. Conditions inside conditions refer to it by `#`. */
export function conditionsSchema(providers: readonly string[]): JsonSchema {
  const named: Readonly<Record<Extract<ListedValues, string>, JsonSchema>> = {
    currency: currencySchema,
    country: countrySchema,
    provider: oneOf(providers),
    reason_code: { type: "string", minLength: 1, maxLength: LIMITS.providerReasonCodeCharsMax },
  };
  const listedSchemas = (field: FieldOf<"list" | "set">): [key: string, schema: JsonSchema][] => {
    const values: ListedValues = CONDITION_FIELDS[field].values;
    const list = listOf(typeof values === "string" ? named[values] : oneOf(values));
    return [
      [`${field}_in`, list],
      [`${field}_not_in`, list],
    ];
  };
  const prefixes = { type: "array", items: orderIdSchema, maxItems: LIMITS.conditionPrefixesMax };
  const flagSchema = (field: FieldOf<"flag">): [key: string, schema: JsonSchema] => [
    `${field}_is`,
    { type: "boolean" },
  ];
  const branches: JsonSchema = { type: "array", items: { $ref: "#" } };
  return {
    type: "object",
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(conditionFieldsOf("number").flatMap(numericSchemas)),
      ...Object.fromEntries(conditionFieldsOf("list", "set").flatMap(listedSchemas)),
      ...Object.fromEntries(conditionFieldsOf("prefix").map((field) => [`${field}_prefix`, prefixes])),
      ...Object.fromEntries(conditionFieldsOf("flag").map(flagSchema)),
      provider_health_state_in: {
        type: "object",
        additionalProperties: false,
        required: ["provider", "states"],
        properties: { provider: oneOf(providers), states: listOf(oneOf(HEALTH_STATES)) },
      },
      sample_bps_lt: { type: "integer", minimum: 0, maximum: SAMPLE_BPS_MAX },
      ...Object.fromEntries(CONDITION_GROUPS.map((group) => [group, branches])),
    },
  };
}
