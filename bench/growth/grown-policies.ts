import type { Rule } from "../../src/domain/policy/policy.js";
import { BENCH_RULES } from "../rows/rival-policy.js";

/** The ten rules of the bench as the API publishes them: an amount is of a currency. */
export const GROWN_RULES: readonly Rule[] = BENCH_RULES.map((rule) => ({
  ...rule,
  when: "amount_gte" in rule.when ? { currency_in: ["USD", "EUR", "GBP"], ...rule.when } : rule.when,
}));

/**
 * `template`: every merchant has the same ten rules, as a platform gives them; only ids and the policy's name are its own.
 * `own`: no two merchants of a million have the same thresholds, nor the same names of rules.
 */
export const POLICY_KINDS = ["template", "own"] as const;
export type PolicyKind = (typeof POLICY_KINDS)[number];

/** Where PostgreSQL's format() puts its arguments, by their positions. */
const PLACES = {
  /** The first 25 characters of a rule's ULID; the last one is the rule's position. */
  id: "%1$s",
  /** The merchant's number. */
  number: "%2$s",
  /** Three digits of a threshold each: a million merchants have a million pairs of them. */
  low: "%3$s",
  high: "%4$s",
} as const;

/** Where an `own` policy differs: the thresholds stay near those of the template, and match as many payments. */
const OWN_AMOUNTS: Readonly<Record<string, string>> = {
  block_large_guest: `50${PLACES.low}`,
  hold_large_new: `30${PLACES.high}`,
  step_up_risky_device: `1${PLACES.low}`,
  healthy_for_cards: `1${PLACES.high}`,
};

/** The JSON text of ten rules in normal form, for format() with the arguments of `PLACES`. */
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
