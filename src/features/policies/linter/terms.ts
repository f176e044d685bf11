import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { Conditions } from "../../../domain/policy/policy.js";
import { type Constraint, intersect, isEmpty, type Literal } from "./constraint.js";

/**
 * A conjunction: for each subject that it names, the values that the subject may still have. A conjunction in which a
 * subject can have no value gives no term, because it is never true.
 */
export type Term = ReadonlyMap<string, Constraint>;

/** A rule's `when` as a tree. The parts are in the order in which a negation splits them. */
export type Formula =
  | { readonly kind: "literal"; readonly literal: Literal }
  | { readonly kind: "and" | "or"; readonly parts: readonly Formula[] }
  | { readonly kind: "not"; readonly part: Formula };

/** The steps left for one policy, and the subjects that were found to contradict themselves. */
export interface Expansion {
  stepsLeft: number;
  readonly contradicting: Set<string>;
}

type ToLiteral = ReadonlyMap<string, (value: never) => Literal>;

/** COND-1: every key of a `when` must hold. */
export function formulaOf(when: Conditions, literals: ToLiteral): Formula {
  return { kind: "and", parts: partsOf(when, literals) };
}

/**
 * Puts currency first. `not (currency in USD and amount ≥ 5)` then becomes "another currency, or USD and less than 5".
 * In this form no amount is compared without a known currency.
 */
function partsOf(when: Conditions, literals: ToLiteral): Formula[] {
  const currency: Formula[] = [];
  const leaves: Formula[] = [];
  const nested: Formula[] = [];
  for (const [key, value] of Object.entries(when)) {
    if (value === undefined) continue;
    const branches = (): Formula[] => (value as Conditions[]).map((branch) => formulaOf(branch, literals));
    if (key === "all_of") {
      for (const branch of value as Conditions[]) nested.push(...partsOf(branch, literals));
    } else if (key === "any_of") nested.push({ kind: "or", parts: branches() });
    else if (key === "none_of") nested.push({ kind: "not", part: { kind: "or", parts: branches() } });
    else {
      const literal = literals.get(key)?.(value as never);
      if (literal === undefined) throw new RangeError("unknown condition");
      (literal.subject === "currency" ? currency : leaves).push({ kind: "literal", literal });
    }
  }
  return [
    ...currency,
    ...nested.filter(isOfCurrency),
    ...leaves,
    ...nested.filter((part) => !isOfCurrency(part)),
  ];
}

/** True if the formula compares nothing but the currency. */
function isOfCurrency(formula: Formula): boolean {
  switch (formula.kind) {
    case "literal":
      return formula.literal.subject === "currency";
    case "not":
      return isOfCurrency(formula.part);
    case "and":
    case "or":
      return formula.parts.every(isOfCurrency);
  }
}

/**
 * Expands the formula, or with `holds` false its negation, into a disjunction of terms. Returns null when the result is
 * too large to analyse. An empty disjunction is never true.
 */
export function termsOf(formula: Formula, holds: boolean, expansion: Expansion): Term[] | null {
  switch (formula.kind) {
    case "literal": {
      const { subject, holds: positive, fails } = formula.literal;
      const constraint = holds ? positive : fails;
      if (!isEmpty(constraint)) return [new Map([[subject, constraint]])];
      expansion.contradicting.add(subject);
      return [];
    }
    case "not":
      return termsOf(formula.part, !holds, expansion);
    case "and":
      return holds ? all(formula.parts, true, expansion) : any(formula.parts, false, expansion);
    case "or":
      return holds ? any(formula.parts, true, expansion) : all(formula.parts, false, expansion);
    default:
      return formula satisfies never;
  }
}

/** The terms in which every part has the truth value `holds`. */
function all(parts: readonly Formula[], holds: boolean, expansion: Expansion): Term[] | null {
  let terms: Term[] | null = [new Map()];
  for (const part of parts) {
    terms = product(terms, termsOf(part, holds, expansion), expansion);
    if (terms === null) return null;
  }
  return terms;
}

/**
 * The terms in which some part has the truth value `holds`. For a negated conjunction it is the first such part, and
 * the parts before it have the other value.
 */
function any(parts: readonly Formula[], holds: boolean, expansion: Expansion): Term[] | null {
  const terms: Term[] = [];
  let before: Term[] | null = [new Map()];
  for (const part of parts) {
    const here = product(before, termsOf(part, holds, expansion), expansion);
    if (here === null) return null;
    terms.push(...here);
    if (terms.length > TUNING.lintTermsPerRuleMax) return null;
    // A disjunction stays as it was written. Only a negated conjunction benefits from disjoint parts.
    if (holds) continue;
    before = product(before, termsOf(part, true, expansion), expansion);
    if (before === null) return null;
  }
  return terms;
}

function product(left: Term[] | null, right: Term[] | null, expansion: Expansion): Term[] | null {
  if (left === null || right === null) return null;
  const terms: Term[] = [];
  for (const a of left) {
    for (const b of right) {
      expansion.stepsLeft -= costOf(a) + costOf(b);
      if (expansion.stepsLeft < 0) return null;
      const both = conjunction(a, b, expansion);
      if (both !== null) terms.push(both);
      if (terms.length > TUNING.lintTermsPerRuleMax) return null;
    }
  }
  return terms;
}

/** The cost grows with the subjects and listed values, because these are copied and intersected. */
function costOf(term: Term): number {
  let cost = 1;
  for (const constraint of term.values()) {
    cost += constraint.kind === "set" ? 1 + constraint.listed.size / 8 : 1;
  }
  return cost;
}

function conjunction(a: Term, b: Term, { contradicting }: Expansion): Term | null {
  if (a.size === 0) return b;
  const both = new Map(a);
  for (const [subject, constraint] of b) {
    const known = both.get(subject);
    const left = known === undefined ? constraint : intersect(known, constraint);
    if (isEmpty(left)) {
      contradicting.add(subject);
      return null;
    }
    both.set(subject, left);
  }
  return both;
}
