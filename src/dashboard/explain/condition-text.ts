import type { DecisionDetail } from "../../client/wire-reads.js";
import { formatAmount, formatName } from "../design/format.js";

/** contract §5: what a key of `when` ends with. */
const OPERATORS = [
  ["_not_in", "is none of"],
  ["_gte", "is at least"],
  ["_lte", "is at most"],
  ["_gt", "is more than"],
  ["_lt", "is less than"],
  ["_in", "is"],
  ["_is", "is"],
] as const;

const GROUPS: Readonly<Record<string, string>> = {
  any_of: "None of its alternatives holds",
  all_of: "Not all of its parts hold",
  none_of: "Something it rules out holds",
};

const FIELD_NAMES: Readonly<Record<string, string>> = {
  sample_bps: "The order's place in the sample (of 10,000)",
  hour_utc: "The hour (UTC)",
  weekday_utc: "The weekday (UTC, 1 is Monday)",
  computed_risk_score: "The computed risk score",
  ip_country_match: "IP country match",
  has_previous_attempt: "Having a previous attempt",
};

/** What the log shows of a decision's request; the rest of it is recorded, and not shown. */
function knownValue(field: string, { transaction, risk, mode, provider_evaluations }: DecisionDetail) {
  switch (field) {
    case "amount":
      return formatAmount(transaction.amount, transaction.currency);
    case "currency":
    case "country":
      return transaction[field];
    case "payment_method":
      return formatName(transaction.payment_method);
    case "computed_risk_score":
      return String(risk.score);
    case "risk_band":
      return formatName(risk.band);
    case "mode":
      return mode;
    case "offered_provider":
      return provider_evaluations.map(({ provider }) => provider).join(", ");
    case "offered_provider_count":
      return String(provider_evaluations.length);
    default:
      return null;
  }
}

/** Why one key of a rule's `when` did not hold: what it asks for and, where the log shows it, what there was. */
export function failedConditionText(key: string, value: unknown, decision: DecisionDetail): string {
  const group = GROUPS[key];
  if (group !== undefined) return `${group}.`;
  if (key === "provider_health_state_in") return `${healthText(value)}, and it was not.`;
  const [suffix, verb] = OPERATORS.find(([suffix]) => key.endsWith(suffix)) ?? ["", "is"];
  const field = key.slice(0, key.length - suffix.length);
  const asked = `${FIELD_NAMES[field] ?? formatName(field)} ${verb} ${valueText(field, value, decision)}`;
  const known = knownValue(field, decision);
  return known === null
    ? `It needs: ${asked}. It was not, or was not sent.`
    : `It needs: ${asked}. It was ${known}.`;
}

function valueText(field: string, value: unknown, { transaction }: DecisionDetail): string {
  if (value === undefined) return "what the rule says";
  if (Array.isArray(value)) return (value as string[]).join(" or ");
  if (typeof value === "number" && field === "amount") return formatAmount(value, transaction.currency);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function healthText(value: unknown): string {
  const { provider = "a provider", states = [] } = (value ?? {}) as { provider?: string; states?: string[] };
  return `It needs: ${provider} is ${states.join(" or ")}`;
}
