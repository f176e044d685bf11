import type { PolicyFacts } from "./policy-facts.js";

/** The families of conditions. */
export const CONDITION_FAMILIES = [
  "order",
  "transaction",
  "risk_signals",
  "computed",
  "previous_attempt",
  "offer",
  "rollout",
] as const;
export type ConditionFamily = (typeof CONDITION_FAMILIES)[number];

/** The values that a condition's list may hold: listed words, or a kind of value with too many values to list. */
export type ListedValues = readonly string[] | "currency" | "country" | "provider" | "reason_code";

export type Reader<Value> = (facts: PolicyFacts) => Value | undefined;

/** One row: everything known about a field that conditions can name. */
export type FieldRow = {
  /** True if a request may lack the field even after defaults are filled in. */
  optional: boolean;
  /** The service fills the field in if a request lacks it. */
  isDefaulted?: true;
  /**
   * People's names for the field, in the form of the translator's lexicon. Null if its conditions need special phrases.
   */
  english: string | null;
} & (
  | /** `_gte _gt _lte _lt` of an integer. */
    {
      kind: "number";
      /** The smallest and the largest value that a request can contain. */
      bounds: readonly [lowest: number, highest: number];
      /** The smallest value that a rule may name, if it is below the smallest value of a request. */
      ruleMin?: number;
      /** The value is an amount in minor units of the payment's currency. */
      isMoney?: true;
      /** People speak of the field as a count: "no declines", "without declines", "more than 3 declines". */
      isCounted?: true;
      /**
       * Further English phrases for the field, in the notation of the translator's grammar. Each phrase has a range.
       */
      phrases?: readonly string[];
      read: Reader<number>;
    }
  /** `_in _not_in` for a field with one value. */
  | { kind: "list"; values: ListedValues; read: Reader<string> }
  /** `_in _not_in` for a field with several values. `_in` asks for at least one listed value, `_not_in` for none. */
  | { kind: "set"; values: ListedValues; read: Reader<readonly string[]> }
  /** `_prefix`: the value begins with one of the listed texts, compared without any normalization. */
  | { kind: "prefix"; read: Reader<string> }
  /** `_is` */
  | {
      kind: "flag";
      read: Reader<boolean>;
      /** Further English phrases for the field, in the notation of the translator's grammar. */
      phrases?: Readonly<Record<"true" | "false", readonly string[]>>;
    }
  /** The field has only `_in`, with `{provider, states}`. The rule's provider determines which state is read. */
  | { kind: "provider_states" }
  /** The field has only `_lt`, in units of 1/SAMPLE_BPS_MAX. The value depends on the rule's id. */
  | { kind: "sample" }
);
export type ConditionKind = FieldRow["kind"];
