import type { ConditionEvaluation, FieldEvaluation } from "../../client/wire-types.js";
import { formatAmount } from "../design/base/format.js";

/** COND-1: the words for each operator of a key in `when`. */
const OPERATORS = {
  gte: " at least ",
  lte: " at most ",
  gt: " more than ",
  lt: " less than ",
  in: " ",
  not_in: " other than ",
  prefix: " that begins with ",
  is: ": ",
} as const satisfies Record<FieldEvaluation["operator"], string>;

const FIELD_NAMES: Readonly<Record<string, string>> = {
  sample_bps: "a place in the sample of 10,000 orders",
  hour_utc: "an hour (UTC)",
  weekday_utc: "a weekday (UTC, 1 is Monday)",
  ip_country_match: "IP country match",
  has_previous_attempt: "a previous attempt",
};

/** Says what one key of a rule's `when` requires and which value it met. Amounts are in `currency`. */
export function conditionText(
  { field, operator, expected, actual }: FieldEvaluation,
  currency: string,
): string {
  if (field === "provider_health_state") {
    const { provider, states } = expected as { provider: string; states: string[] };
    return `Needs ${provider} to be ${states.join(" or ")}; it was ${String(actual)}.`;
  }
  const name = FIELD_NAMES[field] ?? field.replaceAll("_", " ");
  const wanted = valueText(field, expected, currency);
  return `Needs ${name}${OPERATORS[operator]}${wanted}; ${metText(field, actual, currency)}.`;
}

/**
 * Returns one sentence per condition that decided. In a group, only the branch `decided_by` counts. If `decided_by` is
 * null, all branches count.
 */
export function decidingTexts(conditions: readonly ConditionEvaluation[], currency: string): string[] {
  return conditions.flatMap((evaluation) => {
    if (!("branches" in evaluation)) return conditionText(evaluation, currency);
    const { branches, decided_by } = evaluation;
    const deciding = branches.filter((_, at) => decided_by === null || at === decided_by);
    return deciding.flatMap(({ conditions }) => decidingTexts(conditions, currency));
  });
}

function metText(field: string, actual: unknown, currency: string): string {
  if (actual === null) return "it was not sent";
  if (Array.isArray(actual)) return `offered were ${actual.join(", ")}`;
  return `it was ${valueText(field, actual, currency)}`;
}

function valueText(field: string, value: unknown, currency: string): string {
  if (Array.isArray(value)) return value.join(" or ");
  if (typeof value === "number" && field === "amount") return formatAmount(value, currency);
  return typeof value === "string" ? value : JSON.stringify(value);
}
