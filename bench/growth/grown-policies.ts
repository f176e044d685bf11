import type { Rule } from "../../src/policy/policy.js";
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

/** Three digits of a threshold: of the merchant's number, so that a million merchants have a million pairs of them. */
type OwnDigits = "#low#" | "#high#";

/** Where an `own` policy differs: the thresholds stay near those of the template, and match as many payments. */
const OWN_AMOUNTS: Readonly<Record<string, `${number}${OwnDigits}`>> = {
  block_large_guest: "50#low#",
  hold_large_new: "30#high#",
  step_up_risky_device: "1#low#",
  healthy_for_cards: "1#high#",
};

/**
 * The JSON text of ten rules in normal form, with places to be filled in: `#id#` (25 characters of a rule's ULID), and in
 * `own` policies `#n#` (the merchant's number), `#low#` and `#high#` (three digits each).
 */
export function rulesTemplate(kind: PolicyKind): string {
  const rules = GROWN_RULES.map((rule, position) => ({
    ...rule,
    rule_id: `rule_#id#${position}`,
    ...(kind === "own" ? ownParts(rule) : {}),
  }));
  return JSON.stringify(rules).replaceAll(/"(\d+#(?:low|high)#)"/g, "$1");
}

function ownParts({ name, when }: Rule): object {
  const amount = OWN_AMOUNTS[name];
  return { name: `${name}_#n#`, when: amount === undefined ? when : { ...when, amount_gte: amount } };
}
