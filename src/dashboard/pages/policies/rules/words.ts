import type { ConditionFamily } from "../../../../domain/policy/condition-row.js";
import {
  type ConditionGroup,
  type ConditionOperator,
  SAMPLE_BPS_MAX,
} from "../../../../domain/policy/condition-vocabulary.js";
import { formatName } from "../../../design/base/format.js";
import { conditionKey, isGroup } from "./conditions.js";
import type { ActionDraft, WhenDraft } from "../draft/draft.js";

/** Turns conditions and actions into sentences. */

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

/** Formats as `amount ≥ 100000 and currency is USD`, or `always` without conditions. */
export function whenWords(when: WhenDraft): string {
  const parts = Object.entries(when).map(([key, value]) => conditionWords(key, value));
  return parts.length === 0 ? ALWAYS : parts.join(" and ");
}

function conditionWords(key: string, value: unknown): string {
  if (isGroup(key)) {
    const [lead, joint] = GROUP_JOINTS[key];
    const branches = Array.isArray(value) ? (value as WhenDraft[]) : [];
    return `${lead} (${branches.map(whenWords).join(joint)})`;
  }
  const known = conditionKey(key);
  if (known === undefined) return `${key} ${valueWords(value)}`;
  const { field, operator } = known;
  if (field === "sample_bps") return `a stable ${(Number(value) * 100) / SAMPLE_BPS_MAX} % of orders`;
  if (field === "provider_health_state") {
    const { provider, states } = value as { provider?: unknown; states?: unknown };
    return `health of ${valueWords(provider)} is ${valueWords(states)}`;
  }
  return `${formatName(field).toLowerCase()} ${OPERATOR_SIGNS[operator]} ${valueWords(value)}`;
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "(nothing)" : value.map(valueWords).join(", ");
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "number" || typeof value === "string")
    return value === "" ? "(nothing)" : String(value);
  return JSON.stringify(value) ?? "(nothing)";
}

/** Formats as `prefer provider_1, provider_2 (strict true)`. */
export function thenWords({ type, ...options }: ActionDraft): string {
  const { providers, reason_codes, weights, ...rest } = options;
  const objects = [providers, reason_codes].filter((value) => value !== undefined).map(valueWords);
  const split = Object.entries((weights ?? {}) as Record<string, unknown>)
    .filter(([, percent]) => percent !== 0)
    .map(([provider, percent]) => `${provider} ${String(percent)} %`);
  const details = Object.entries(rest).map(
    ([name, value]) => `${formatName(name).toLowerCase()} ${valueWords(value)}`,
  );
  return [
    formatName(type),
    [...objects, ...split].join(", "),
    details.length === 0 ? "" : `(${details.join(", ")})`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}
