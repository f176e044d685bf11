/** The form of one option of an action. */
export type ActionOption = {
  /** A `filled` option may be left out. The normal form then has the option's default. */
  presence: "required" | "optional" | "filled";
  /** The label in the dashboard's editor. */
  label: string;
  hint?: string;
} & (
  | /** Distinct providers, in order. A single provider may be written as `provider`. */
    { kind: "providers" }
  /** A reason code of the policy's author, in UPPER_SNAKE. */
  | { kind: "reason_code" }
  /** Reason codes of providers, compared exactly. */
  | { kind: "provider_reason_codes" }
  /** Whole percentages by provider that add up to 100. */
  | { kind: "weights" }
  | { kind: "flag"; default: boolean }
  | { kind: "choice"; values: readonly string[] }
  | {
      kind: "number";
      isInteger: boolean;
      bounds: readonly [lowest: number, highest: number];
      /** The value that applies if the option is left out. */
      default?: number;
      /** The effect of leaving the option out, in words. */
      placeholder?: string;
    }
);

/** One row: everything known about a type of action, except what it does. */
export interface ActionRow {
  /** The name in the dashboard's editor. */
  title: string;
  /** Another accepted spelling of the type. */
  alias?: string;
  options: Readonly<Record<string, ActionOption>>;
  /** A valid action has at least one of these options. */
  needsOneOf?: readonly string[];
  /** A sentence about all options of the action, for the API's document. */
  description?: string;
  /** The reason code that a decision gets from a rule of this type. */
  setsCode?: string;
  /**
   * The English forms of this action, in the notation of the translator's grammar. `Providers`, `Codes` and `Tag` stand
   * for its options. Null if the notation cannot express the forms. Then the grammar itself defines them.
   */
  commands: readonly string[] | null;
  /** The action blocks, holds or steps up. */
  isIntervention?: true;
  /** LINT-1: the providers that remain possible after the action: the listed ones, or all others. */
  leaves?: "listed" | "others";
  /** LINT-1: after this action, later rules have no effect. */
  endsPayment?: true;
  /** The action compares costs, so a decision must look up prices. */
  controlsCost?: true;
  /** The action counts an order's attempts, so attempts must be stored and looked up. */
  countsAttempts?: true;
}
