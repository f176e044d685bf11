import type { DecisionDetail } from "../../client/wire-reads.js";
import { formatAmount, formatName } from "../design/format.js";

/** contract §5: what a key of `when` ends with, longest first. */
const OPERATORS = [
  ["_not_in", " other than "],
  ["_gte", " at least "],
  ["_lte", " at most "],
  ["_gt", " more than "],
  ["_lt", " less than "],
  ["_in", " "],
  ["_is", ": "],
] as const;

const GROUPS: Readonly<Record<string, string>> = {
  any_of: "None of its alternatives holds",
  all_of: "Not all of its parts hold",
  none_of: "Something it rules out holds",
};

const FIELD_NAMES: Readonly<Record<string, string>> = {
  sample_bps: "a place in the sample of 10,000 orders",
  hour_utc: "an hour (UTC)",
  weekday_utc: "a weekday (UTC, 1 is Monday)",
  ip_country_match: "IP country match",
  has_previous_attempt: "a previous attempt",
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
  if (key === "provider_health_state_in") return healthText(value);
  const [suffix, verb] = OPERATORS.find(([suffix]) => key.endsWith(suffix)) ?? ["", " "];
  const field = key.slice(0, key.length - suffix.length);
  const name = FIELD_NAMES[field] ?? field.replaceAll("_", " ");
  const known = knownValue(field, decision);
  const was = known === null ? "it was not, or was not sent" : `it was ${known}`;
  return `Needs ${name}${verb}${valueText(field, value, decision)}; ${was}.`;
}

function valueText(field: string, value: unknown, { transaction }: DecisionDetail): string {
  if (value === undefined) return "as the rule says";
  if (Array.isArray(value)) return (value as string[]).join(" or ");
  if (typeof value === "number" && field === "amount") return formatAmount(value, transaction.currency);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function healthText(value: unknown): string {
  const { provider = "a provider", states = [] } = (value ?? {}) as { provider?: string; states?: string[] };
  return `Needs ${provider} to be ${states.join(" or ")}; it was not.`;
}
