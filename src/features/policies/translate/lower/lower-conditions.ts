import { CONDITION_FIELDS } from "../../../../domain/policy/condition-fields.js";
import { ruleBounds, conditionFieldsOf } from "../../../../domain/policy/condition-vocabulary.js";
import type { Conditions } from "../../../../domain/policy/policy.js";
import { LIMITS } from "../../../../domain/vocabulary/limits.js";
import { unreachable } from "../../../../domain/vocabulary/unreachable.js";
import { mergeConditions } from "./merge-conditions.js";
import { minorUnits, wholeNumber } from "./number-text.js";
import type { Bound, Condition, MoneyText } from "../grammar/syntax.js";
import type { WarningCode } from "../grammar/translation-warning.js";

export type Lowered<Value> = { ok: true; value: Value } | { ok: false; code: WarningCode };
export const refused = (code: WarningCode): { ok: false; code: WarningCode } => ({ ok: false, code });
const done = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });

/** Fields that every request has. For these fields, "not X" means the same as "another than X". */
const ALWAYS_THERE: ReadonlySet<string> = new Set(
  conditionFieldsOf("list", "set")
    .filter((field) => !CONDITION_FIELDS[field].optional)
    .map((field) => `${field}_in`),
);

/**
 * COND-1: combines the conditions of a `when` that must all hold into one object. An amount without a currency gets the
 * currency that the conditions beside or around it name. If they name none or several, the amount is refused.
 */
export function lowerConjunction(
  conditions: readonly Condition[],
  around: string | null = null,
): Lowered<Conditions> {
  const flat = flatten(conditions);
  const currency = currencyOf(flat) ?? around;
  const parts: Conditions[] = [];
  for (const condition of flat) {
    const part = lower(condition, currency);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  const merged = mergeConditions(parts);
  if (merged === null) return refused("contradiction");
  return nestingOf(merged) > LIMITS.conditionLevelsMax ? refused("too_complex") : done(merged);
}

function flatten(conditions: readonly Condition[]): Condition[] {
  return conditions.flatMap((condition) => (condition.kind === "all" ? flatten(condition.of) : [condition]));
}

/** Returns the currency that the conditions fix, if there is exactly one. */
export function currencyOf(conditions: readonly Condition[]): string | null {
  const named = flatten(conditions).flatMap((condition): (string | null)[] => {
    if (condition.kind === "amount") return condition.bounds.map(({ value }) => value.currency);
    return condition.kind === "keys" ? (condition.when.currency_in ?? []) : [];
  });
  const [only, ...more] = new Set(named.filter((currency) => currency !== null));
  return only !== undefined && more.length === 0 ? only : null;
}

function lower(condition: Condition, currency: string | null): Lowered<Conditions> {
  switch (condition.kind) {
    case "keys": {
      const codes =
        condition.when.previous_reason_code_in ?? condition.when.previous_reason_code_not_in ?? [];
      return codes.every(isReasonCode) ? done(condition.when) : refused("not_understood");
    }
    case "refused":
      return refused(condition.code);
    case "number": {
      const [min, max] = ruleBounds(condition.field);
      const when: Record<string, number> = {};
      for (const { comparison, value } of condition.bounds) {
        const bound = wholeNumber(value, min, max);
        if (bound === null) return refused("number_out_of_range");
        when[`${condition.field}_${comparison}`] = bound;
      }
      return done(when);
    }
    case "amount":
      return lowerAmount(condition.field, condition.bounds, currency);
    case "sample": {
      const bps = wholeNumber(condition.percent, 0, 10_000, 2);
      return bps === null ? refused("number_out_of_range") : done({ sample_bps_lt: bps });
    }
    case "all":
      return lowerConjunction([condition], currency);
    case "any":
      return lowerAny(condition.of, currency);
    case "not":
      return lowerNot(condition.of, currency);
    default:
      return unreachable(condition);
  }
}

/** REQ-14: whether a decision request can have the code as `provider_reason_code`. */
export function isReasonCode(code: string): boolean {
  return code.length > 0 && code.length <= LIMITS.providerReasonCodeCharsMax;
}

function lowerAmount(
  field: "amount" | "velocity_amount_1h",
  bounds: readonly Bound<MoneyText>[],
  around: string | null,
): Lowered<Conditions> {
  const when: Record<string, number | string[]> = {};
  for (const { comparison, value } of bounds) {
    const currency = value.currency ?? around;
    if (currency === null) return refused("amount_without_currency");
    const minor = minorUnits(value.number, currency);
    if (typeof minor === "string") return refused(minor);
    const named = when["currency_in"];
    if (named !== undefined && (named as string[])[0] !== currency) return refused("contradiction");
    when[`${field}_${comparison}`] = minor;
    when["currency_in"] = [currency];
  }
  return done(when);
}

function lowerAny(alternatives: readonly Condition[], currency: string | null): Lowered<Conditions> {
  const branches = lowerEach(alternatives, currency);
  if (!branches.ok) return branches;
  const [first] = branches.value;
  if (branches.value.length === 1 && first !== undefined) return done(first);
  // Alternatives of the same list condition become one longer list.
  const entries = branches.value.map((branch) => Object.entries(branch));
  const key = entries[0]?.[0]?.[0] ?? "";
  const isList = key.endsWith("_in") && !/_(?:not|state)_in$/.test(key);
  if (isList && entries.every((entry) => entry.length === 1 && entry[0]?.[0] === key)) {
    return done({ [key]: [...new Set(entries.flatMap((entry) => entry[0]?.[1] as string[]))] });
  }
  return done({ any_of: branches.value });
}

function lowerNot(denied: Condition, currency: string | null): Lowered<Conditions> {
  const branches = lowerEach(denied.kind === "any" ? denied.of : [denied], currency);
  if (!branches.ok) return branches;
  const parts = branches.value.map((branch): Conditions => {
    const [entry, ...more] = Object.entries(branch);
    if (entry === undefined || more.length > 0 || !ALWAYS_THERE.has(entry[0])) return { none_of: [branch] };
    return { [entry[0].replace(/_in$/, "_not_in")]: entry[1] };
  });
  const merged = mergeConditions(parts);
  return merged === null ? refused("contradiction") : done(merged);
}

function lowerEach(conditions: readonly Condition[], currency: string | null): Lowered<Conditions[]> {
  const branches: Conditions[] = [];
  for (const condition of conditions) {
    const branch = lowerConjunction([condition], currency);
    if (!branch.ok) return branch;
    // A condition that always holds cannot be negated, and is useless as an alternative.
    if (Object.keys(branch.value).length === 0) return refused("not_understood");
    branches.push(branch.value);
  }
  return done(branches);
}

function nestingOf(when: Conditions): number {
  const lists = [when.any_of, when.all_of, when.none_of].filter((list) => list !== undefined);
  return Math.max(0, ...lists.map((list) => 1 + Math.max(0, ...list.map(nestingOf))));
}
