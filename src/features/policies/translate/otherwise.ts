import type { Conditions } from "../../../domain/policy/policy.js";
import { mergeConditions } from "./lower/merge-conditions.js";
import { OPPOSITES } from "./read/negate.js";
import { narrowsPayments, type ScopedStatement } from "./scope-statements.js";
import type { Comparison, Condition } from "./grammar/syntax.js";

/** The cases that stand before an "otherwise". The "otherwise" applies to all payments outside of these cases. */
export interface Antecedent {
  /** Each case is a list of conditions that must all hold. */
  readonly cases: readonly (readonly Condition[])[];
  /** The conditions describe the payments that the sentence names, so "it" may stand for those payments. */
  readonly narrowsPayments: boolean;
}

/**
 * Determines which cases an "otherwise" after `statements` refers to. `earlier` are the cases before these statements.
 * Returns null when English leaves the reference open. After "if the risk is high, block guests", the rest may be
 * payments of low risk or payments of non-guests.
 */
export function antecedentOf(
  statements: readonly ScopedStatement[],
  earlier: Antecedent | null,
): Antecedent | null {
  const [first, ...more] = statements as [ScopedStatement, ...ScopedStatement[]];
  const isOneCase = more.every(({ ledBy, own }) => ledBy === first.ledBy && own.length === 0);
  if (first.conditions.length === 0 || first.isMixed || !isOneCase) return null;
  return {
    cases: [...(earlier?.cases ?? []), first.conditions],
    narrowsPayments: earlier?.narrowsPayments === true || narrowsPayments(first),
  };
}

export function noneOf({ cases }: Antecedent): Condition {
  return { kind: "all", of: cases.map(denied) };
}

function denied(conditions: readonly Condition[]): Condition {
  const [only, ...more] = conditions;
  return only?.kind === "not" && more.length === 0
    ? only.of
    : { kind: "not", of: { kind: "all", of: conditions } };
}

/**
 * Completes conditions that leave out their field with the field of the antecedent: "if the risk score is above 80,
 * block; otherwise hold when above 60".
 */
export function fullConditions(
  { conditions, isElliptic }: ScopedStatement,
  { cases }: Antecedent,
): readonly Condition[] {
  const [only, ...more] = conditions;
  const [compared, ...others] = cases.at(-1) ?? [];
  if (!isElliptic || only?.kind !== "amount" || more.length > 0) return conditions;
  if (compared?.kind !== "number" || others.length > 0) return conditions;
  if (only.bounds.some(({ value }) => value.currency !== null)) return conditions;
  const bounds = only.bounds.map(({ comparison, value }) => ({ comparison, value: value.number }));
  return [{ kind: "number", field: compared.field, bounds }];
}

const NUMERIC_KEY = /^(.+)_(gte|gt|lte|lt)$/;

/**
 * Rewrites denied bounds as plain bounds when the field has another bound and is therefore present. "Over 60" and
 * "not over 80" become "over 60 and at most 80".
 */
export function asBounds(when: Conditions): Conditions {
  const { none_of: denied = [], ...rest } = when;
  const kept: Conditions[] = [];
  const bounds: Conditions[] = [];
  for (const one of denied) {
    const bound = boundOf(one, rest);
    if (bound === null) kept.push(one);
    else bounds.push(bound);
  }
  const merged = mergeConditions([rest, ...bounds]);
  if (merged === null || bounds.length === 0) return when;
  return kept.length === 0 ? merged : { ...merged, none_of: kept };
}

function boundOf(denied: Conditions, rest: Conditions): Conditions | null {
  const held = rest as Readonly<Record<string, unknown>>;
  const open = Object.entries(denied).filter(
    ([key, value]) => JSON.stringify(held[key]) !== JSON.stringify(value),
  );
  const [only, ...more] = open;
  const [, field, comparison] = NUMERIC_KEY.exec(only?.[0] ?? "") ?? [];
  if (only === undefined || more.length > 0 || field === undefined) return null;
  const isThere = Object.keys(rest).some((key) => NUMERIC_KEY.exec(key)?.[1] === field);
  return isThere ? { [`${field}_${OPPOSITES[comparison as Comparison]}`]: only[1] } : null;
}
