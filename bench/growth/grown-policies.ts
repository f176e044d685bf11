import type { Rule } from "../../src/domain/policy/policy.js";
import { BENCH_RULES } from "../rows/rival-policy.js";

/** The ten rules of the bench in the form that the API publishes: each amount names its currency. */
export const GROWN_RULES: readonly Rule[] = BENCH_RULES.map((rule) => ({
  ...rule,
  when: "amount_gte" in rule.when ? { currency_in: ["USD", "EUR", "GBP"], ...rule.when } : rule.when,
}));

/**
 * `template`: every merchant has the same ten rules, as a platform would hand out, and only ids and the policy's name
 * differ. `own`: no two of a million merchants have the same thresholds or names of rules.
 */
export const POLICY_KINDS = ["template", "own"] as const;
export type PolicyKind = (typeof POLICY_KINDS)[number];

/** The positions of the arguments in PostgreSQL's format(). */
const PLACES = {
  /** The first 25 characters of a rule's ULID. The 26th is the rule's position. */
  id: "%1$s",
  /** The merchant's number. */
  number: "%2$s",
  /** Each threshold has three digits, so a million merchants have a million different pairs. */
  low: "%3$s",
  high: "%4$s",
} as const;

/**
 * The amounts in which `own` policies differ. They are near the template's, so that they match the same number of
 * payments.
 */
const OWN_AMOUNTS: Readonly<Record<string, string>> = {
  block_large_guest: `50${PLACES.low}`,
  hold_large_new: `30${PLACES.high}`,
  step_up_risky_device: `1${PLACES.low}`,
  healthy_for_cards: `1${PLACES.high}`,
};

/** The JSON text of ten rules in normal form. It is a template for format() with the arguments of `PLACES`. */
export function rulesFormat(kind: PolicyKind): string {
  const rules = GROWN_RULES.map((rule, position) => ({
    ...rule,
    rule_id: `rule_${PLACES.id}${position}`,
    ...(kind === "own" ? ownParts(rule) : {}),
  }));
  return JSON.stringify(rules).replaceAll(/"(\d+%\d\$s)"/g, "$1");
}

function ownParts({ name, when }: Rule): object {
  const amount = OWN_AMOUNTS[name];
  return {
    name: `${name}_${PLACES.number}`,
    when: amount === undefined ? when : { ...when, amount_gte: amount },
  };
}
