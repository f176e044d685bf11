import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { Rule } from "../../../domain/policy/policy.js";
import type { Literal } from "./constraint.js";
import { literalTable } from "./literals.js";
import { contradictionOf } from "./satisfiable.js";
import { type Expansion, formulaOf, type Term, termsOf } from "./terms.js";

/** The set of requests that a rule's `when` matches. */
export type RuleMeaning =
  /** No request matches. `contradicting` are the subjects that have no value left. */
  | { kind: "never"; contradicting: readonly string[] }
  | { kind: "always"; terms: readonly Term[] }
  /** Some requests match: those that satisfy at least one term. */
  | { kind: "sometimes"; terms: readonly Term[] }
  /** The rule is too large to analyse, so nothing is reported. */
  | { kind: "unknown" };

/** Reads the rules of one policy. One bound limits the work for all of its rules together. */
export function createRuleReader(providers: readonly string[]): (rule: Rule) => RuleMeaning {
  const literals: ReadonlyMap<string, (value: never) => Literal> = literalTable(providers);
  let stepsLeft: number = TUNING.lintStepsPerPolicyMax;

  return ({ when }) => {
    const formula = formulaOf(when, literals);
    /** Returns the satisfiable terms, or null when the rule is too large to analyse. */
    const satisfiable = (holds: boolean, contradicting: Set<string>): Term[] | null => {
      const expansion: Expansion = { stepsLeft, contradicting };
      const terms = termsOf(formula, holds, expansion);
      stepsLeft = Math.max(0, expansion.stepsLeft);
      return (
        terms?.filter((term) => {
          const contradiction = contradictionOf(term, providers);
          for (const subject of contradiction ?? []) contradicting.add(subject);
          return contradiction === null;
        }) ?? null
      );
    };

    const contradicting = new Set<string>();
    const terms = satisfiable(true, contradicting);
    if (terms === null) return { kind: "unknown" };
    if (terms.length === 0) return { kind: "never", contradicting: [...contradicting] };
    // If the negation has no satisfiable term, every request matches the rule.
    if (satisfiable(false, new Set())?.length === 0) return { kind: "always", terms };
    return { kind: "sometimes", terms };
  };
}
