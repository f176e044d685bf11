/** How an option of an action is written and asked for. */
export type ActionOption = {
  /** `filled`: it may be left out, and the normal form has the default then. */
  presence: "required" | "optional" | "filled";
  /** As the dashboard's editor asks for it. */
  label: string;
  hint?: string;
} & (
  | /** Distinct ones, in order. A single one may be written as `provider`. */
    { kind: "providers" }
  /** UPPER_SNAKE, of the policy's own. */
  | { kind: "reason_code" }
  /** Of providers, compared exactly. */
  | { kind: "provider_reason_codes" }
  /** Whole percentages by provider that add up to 100. */
  | { kind: "weights" }
  | { kind: "flag"; default: boolean }
  | { kind: "choice"; values: readonly string[] }
  | {
      kind: "number";
      isInteger: boolean;
      bounds: readonly [lowest: number, highest: number];
      /** Holds where the option is left out. */
      default?: number;
      /** What holds where it is left out, in words. */
      placeholder?: string;
    }
);

/** One row: all that is known of a type of action, but for what it does. */
export interface ActionRow {
  /** As the dashboard's editor names it. */
  title: string;
  /** Another accepted spelling of the type. */
  alias?: string;
  options: Readonly<Record<string, ActionOption>>;
  /** At least one of these options is there. */
  needsOneOf?: readonly string[];
  /** What the API's document adds about the options together. */
  description?: string;
  /** The reason code of a decision that a rule of this type decided. */
  setsCode?: string;
  /**
   * Forms of English that ask for it, in the notation of the translator's grammar. `Providers`, `Codes` and `Tag` are its
   * options. Null where an option has words of its own: those forms stand in the grammar, each with a reader.
   */
  commands: readonly string[] | null;
  /** It blocks, holds or steps up. */
  isIntervention?: true;
  /** LINT-1: what it leaves of all providers: the listed ones, or the others. */
  leaves?: "listed" | "others";
  /** LINT-1: nothing that a later rule asks for can happen. */
  endsPayment?: true;
  /** Costs are compared for it, so they are looked up. */
  controlsCost?: true;
}
