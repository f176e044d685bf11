/** The spelling of an action's option, and the question for its value. */
export type ActionOption = {
  /** A `filled` option may be left out. The normal form then has its default. */
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
  /** A sentence about the options together, for the API's document. */
  description?: string;
  /** The reason code that a decision gets from a rule of this type. */
  setsCode?: string;
  /**
   * The English forms of this action, in the notation of the translator's grammar. `Providers`, `Codes` and `Tag`
   * stand for its options. Null if an option needs a form that these cannot express. The grammar then has the forms,
   * each with a reader.
   */
  commands: readonly string[] | null;
  /** The action blocks, holds or steps up. */
  isIntervention?: true;
  /** LINT-1: the providers that remain after the action: the listed ones, or the others. */
  leaves?: "listed" | "others";
  /** LINT-1: later rules cannot have any effect after this action. */
  endsPayment?: true;
  /** The action compares costs, so a decision looks them up. */
  controlsCost?: true;
  /** The action counts an order's attempts, so they are kept and looked up. */
  countsAttempts?: true;
}
