import { CONDITION_FIELDS } from "../../../../domain/policy/condition-fields.js";
import type { ConditionFamily } from "../../../../domain/policy/condition-row.js";
import {
  type ConditionGroup,
  type ConditionOperator,
  SAMPLE_BPS_MAX,
} from "../../../../domain/policy/condition-vocabulary.js";
import { formatAmount, formatName } from "../../../design/base/format.js";
import { conditionKey, isGroup } from "./conditions.js";
import { ruleCurrency } from "./rule-currency.js";
import type { ActionDraft, WhenDraft } from "../draft/draft.js";

/** Describes conditions and actions in words. */

export const FAMILY_TITLES = {
  order: "Order",
  transaction: "Transaction",
  risk_signals: "Risk signals",
  computed: "Computed risk",
  previous_attempt: "Previous attempt",
  offer: "Offered providers",
  rollout: "Roll-out and time",
} as const satisfies Record<ConditionFamily, string>;

export const OPERATOR_WORDS = {
  gte: "is at least",
  gt: "is more than",
  lte: "is at most",
  lt: "is less than",
  in: "is one of",
  not_in: "is none of",
  prefix: "begins with one of",
  is: "is",
} as const satisfies Record<ConditionOperator, string>;

const OPERATOR_SIGNS = {
  gte: "≥",
  gt: ">",
  lte: "≤",
  lt: "<",
  in: "is",
  not_in: "is not",
  prefix: "begins with",
  is: "is",
} as const satisfies Record<ConditionOperator, string>;

export const GROUP_WORDS = {
  any_of: "Any of these",
  all_of: "All of these",
  none_of: "None of these",
} as const satisfies Record<ConditionGroup, string>;

const GROUP_JOINTS = {
  any_of: ["any of", " or "],
  all_of: ["all of", " and "],
  none_of: ["none of", " or "],
} as const satisfies Record<ConditionGroup, readonly [string, string]>;

const ALWAYS = "always";

/** Formats as `amount ≥ USD 1,000.00 and currency is USD`, or `always` without conditions. */
export function whenWords(when: WhenDraft, around: string | null = null): string {
  const currency = ruleCurrency(when, around);
  const parts = Object.entries(when).map(([key, value]) => conditionWords(key, value, currency));
  return parts.length === 0 ? ALWAYS : parts.join(" and ");
}

function conditionWords(key: string, value: unknown, currency: string | null): string {
  if (isGroup(key)) {
    const [lead, joint] = GROUP_JOINTS[key];
    const branches = Array.isArray(value) ? (value as WhenDraft[]) : [];
    return `${lead} (${branches.map((branch) => whenWords(branch, currency)).join(joint)})`;
  }
  const known = conditionKey(key);
  if (known === undefined) return `${key} ${valueWords(value)}`;
  const { field, operator } = known;
  if (field === "sample_bps") return `a stable ${(Number(value) * 100) / SAMPLE_BPS_MAX} % of orders`;
  if (field === "provider_health_state") {
    const { provider, states } = value as { provider?: unknown; states?: unknown };
    return `health of ${valueWords(provider)} is ${valueWords(states)}`;
  }
  const words = "isMoney" in CONDITION_FIELDS[field] ? amountWords(value, currency) : valueWords(value);
  return `${formatName(field).toLowerCase()} ${OPERATOR_SIGNS[operator]} ${words}`;
}

/** DASH-31: formats an amount in the rule's currency, or in minor units if the currency is unknown. */
function amountWords(value: unknown, currency: string | null): string {
  if (typeof value !== "number") return valueWords(value);
  return currency === null ? `${value} minor units` : formatAmount(value, currency);
}

const MINOR = "_minor";

/** True if an option of an action is an amount. */
export function isMoneyOption(name: string): boolean {
  return name.endsWith(MINOR);
}

function optionWords(name: string, value: unknown, currency: string | null): string {
  if (!isMoneyOption(name)) return `${formatName(name).toLowerCase()} ${valueWords(value)}`;
  return `${formatName(name.slice(0, -MINOR.length)).toLowerCase()} ${amountWords(value, currency)}`;
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "(nothing)" : value.map(valueWords).join(", ");
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "number" || typeof value === "string")
    return value === "" ? "(nothing)" : String(value);
  return JSON.stringify(value) ?? "(nothing)";
}

/** Formats a rule's action as `prefer provider_1, provider_2 (strict true)`. */
export function thenWords({ when, then }: { when: WhenDraft; then: ActionDraft }): string {
  const { type, ...options } = then;
  const currency = ruleCurrency(when, null);
  const { providers, reason_codes, weights, ...rest } = options;
  const objects = [providers, reason_codes].filter((value) => value !== undefined).map(valueWords);
  const split = Object.entries((weights ?? {}) as Record<string, unknown>)
    .filter(([, percent]) => percent !== 0)
    .map(([provider, percent]) => `${provider} ${String(percent)} %`);
  const details = Object.entries(rest).map(([name, value]) => optionWords(name, value, currency));
  return [
    formatName(type),
    [...objects, ...split].join(", "),
    details.length === 0 ? "" : `(${details.join(", ")})`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}
