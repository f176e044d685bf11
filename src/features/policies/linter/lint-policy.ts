import { actionRow } from "../../../domain/policy/action-rows.js";
import { CONDITION_GROUPS, type ConditionGroup } from "../../../domain/policy/condition-vocabulary.js";
import type { Conditions, Policy, Rule } from "../../../domain/policy/policy.js";
import type { Term } from "./terms.js";
import { createRuleReader, type RuleMeaning } from "./rule-meaning.js";

/** LINT-1: a warning for the author of a policy. */
export interface PolicyWarning {
  /** Dotted, as in a validation issue: `rules.3`, `default_provider`. */
  readonly path: string;
  /** It contains no submitted value. */
  readonly message: string;
}

interface ReadRule {
  /** Position in `rules`. */
  readonly index: number;
  readonly rule: Rule;
  readonly meaning: RuleMeaning;
}

const HOLDS_EMPTY = {
  any_of: "never",
  all_of: "always",
  none_of: "always",
} as const satisfies Record<ConditionGroup, string>;

/**
 * The warnings of a policy in normal form, in the order of its rules. `providers` are the deployment's. The linter
 * compares the meanings of conditions. If that would take too long, it gives no warning rather than a wrong one.
 * Disabled rules decide nothing, so only their names are checked.
 */
export function lintPolicy(
  policy: Pick<Policy, "default_provider" | "rules">,
  providers: readonly string[],
): PolicyWarning[] {
  const meaningOf = createRuleReader(providers);
  const enabled: ReadRule[] = policy.rules.flatMap((rule, index) =>
    rule.enabled ? [{ index, rule, meaning: meaningOf(rule) }] : [],
  );
  return [
    ...emptyPolicy(policy),
    ...duplicateNames(policy.rules),
    ...enabled.flatMap(neverMatching),
    ...enabled.flatMap(({ index, rule }) => emptyGroups(rule.when, `rules.${index}.when`)),
    ...enabled.flatMap(amountWithoutCurrency),
    ...shadowed(enabled),
    ...excluded(policy, enabled, providers),
  ];
}

function emptyPolicy({
  default_provider,
  rules,
}: Pick<Policy, "default_provider" | "rules">): PolicyWarning[] {
  if (rules.length > 0 || default_provider !== null) return [];
  return [{ path: "rules", message: "The policy has no rules and no default_provider" }];
}

/** Warns of equal names, because decisions name the rules that matched. */
function duplicateNames(rules: readonly Rule[]): PolicyWarning[] {
  const earlierNames = new Set<string>();
  return rules.flatMap(({ name }, index) => {
    if (!earlierNames.has(name)) {
      earlierNames.add(name);
      return [];
    }
    return [{ path: `rules.${index}.name`, message: "An earlier rule has the same name" }];
  });
}

function neverMatching({ index, meaning }: ReadRule): PolicyWarning[] {
  if (meaning.kind !== "never") return [];
  // A subject is a field's name, followed by a provider's name if each provider has its own value of the field.
  const fields = new Set(meaning.contradicting.map((subject) => subject.split(" ", 1)[0]));
  const about = fields.size === 0 ? "" : `: nothing satisfies its conditions on ${[...fields].join(", ")}`;
  return [{ path: `rules.${index}.when`, message: `The rule can never match${about}` }];
}

/** Warns of empty groups, which are probably mistakes: `all_of: []` always holds, and so does `none_of: []`. */
function emptyGroups(when: Conditions, path: string): PolicyWarning[] {
  return CONDITION_GROUPS.flatMap((group): PolicyWarning[] => {
    const branches = when[group];
    if (branches === undefined) return [];
    const groupPath = `${path}.${group}`;
    if (branches.length > 0)
      return branches.flatMap((branch, at) => emptyGroups(branch, `${groupPath}.${at}`));
    return [{ path: groupPath, message: `The group is empty: it ${HOLDS_EMPTY[group]} holds` }];
  });
}

/** Warns of amounts without a currency, because 5000 is much in one currency and little in another. */
function amountWithoutCurrency({ index, meaning }: ReadRule): PolicyWarning[] {
  if (meaning.kind === "never" || meaning.kind === "unknown") return [];
  if (!meaning.terms.some(hasAmountInAnyCurrency)) return [];
  return [
    {
      path: `rules.${index}.when`,
      message:
        "A condition on amount needs one on currency beside it: amounts are minor units of the currency",
    },
  ];
}

function hasAmountInAnyCurrency(term: Term): boolean {
  return term.has("amount") && !term.has("currency");
}

/** Warns of rules after an unconditional block. They are evaluated, but their actions cannot take effect. */
function shadowed(enabled: readonly ReadRule[]): PolicyWarning[] {
  // The order of evaluation: lower priority first, then rule order.
  const ordered = enabled.toSorted((a, b) => a.rule.priority - b.rule.priority);
  const blocking = ordered.findIndex(
    ({ rule, meaning }) => actionRow(rule.then.type).endsPayment === true && meaning.kind === "always",
  );
  if (blocking === -1) return [];
  return ordered
    .slice(blocking + 1)
    .toSorted((a, b) => a.index - b.index)
    .map(({ index }) => ({
      path: `rules.${index}`,
      message: "An earlier rule blocks every payment, so this one changes nothing",
    }));
}

/**
 * RULE-12: warns if no provider is left, or not the default one. Exclusions add up, and restrictions intersect. Only
 * rules that match every request are counted.
 */
function excluded(
  { default_provider }: Pick<Policy, "default_provider">,
  enabled: readonly ReadRule[],
  providers: readonly string[],
): PolicyWarning[] {
  let left = new Set(providers);
  for (const { rule, meaning } of enabled) {
    const { then } = rule;
    if (meaning.kind !== "always") continue;
    const { leaves } = actionRow(then.type);
    if (leaves === undefined || !("providers" in then)) continue;
    const listed = new Set(then.providers);
    left = new Set(Array.from(left).filter((provider) => listed.has(provider) === (leaves === "listed")));
  }
  const warnings: PolicyWarning[] = [];
  if (left.size === 0) {
    warnings.push({ path: "rules", message: "The rules exclude every provider unconditionally" });
  }
  if (default_provider !== null && !left.has(default_provider)) {
    warnings.push({ path: "default_provider", message: "The rules exclude this provider unconditionally" });
  }
  return warnings;
}
