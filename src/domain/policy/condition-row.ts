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

/** The values that a condition's list may hold: words of the vocabulary, or a kind of value without a short list. */
export type ListedValues = readonly string[] | "currency" | "country" | "provider" | "reason_code";

export type Reader<Value> = (facts: PolicyFacts) => Value | undefined;

/** One row: everything known about a field that conditions can name. */
export type FieldRow = {
  /** Whether a request may lack the field after its defaults are filled in. */
  optional: boolean;
  /** A request may lack the field, because the service fills it in. */
  isDefaulted?: true;
  /**
   * The names that people use for it, in the form of the translator's lexicon. Null if its conditions need special
   * phrases.
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
      /** People count it: "no declines", "without declines", "more than 3 declines". */
      isCounted?: true;
      /** Further forms of English for it, in the notation of the translator's grammar. Each form has a range. */
      phrases?: readonly string[];
      read: Reader<number>;
    }
  /** `_in _not_in` for a field with one value. */
  | { kind: "list"; values: ListedValues; read: Reader<string> }
  /** `_in _not_in` for a field with several values: at least one of them is listed, or none is. */
  | { kind: "set"; values: ListedValues; read: Reader<readonly string[]> }
  /** `_prefix`: the value begins with one of the listed texts, compared exactly as sent. */
  | { kind: "prefix"; read: Reader<string> }
  /** `_is` */
  | {
      kind: "flag";
      read: Reader<boolean>;
      /** Further forms of English for it, in the notation of the translator's grammar. */
      phrases?: Readonly<Record<"true" | "false", readonly string[]>>;
    }
  /** It has only `_in`, with `{provider, states}`. The value read depends on the provider. */
  | { kind: "provider_states" }
  /** It has only `_lt`, as a part of SAMPLE_BPS_MAX. The value read depends on the rule. */
  | { kind: "sample" }
);
export type ConditionKind = FieldRow["kind"];
