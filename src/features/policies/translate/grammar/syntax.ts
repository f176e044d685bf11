import type { ProviderId } from "../../../../domain/vocabulary/decision-request.js";
import type { OptimizationMode } from "../../../../domain/vocabulary/vocabulary.js";
import type { Conditions, RuleAction } from "../../../../domain/policy/policy.js";
import type { PlainNumberField } from "./field-terminals.js";
import type { WarningCode } from "./translation-warning.js";

/** A word of the grammar and where it begins. An entity is `kind:value` with a percent-encoded value. */
export interface Word {
  readonly text: string;
  readonly start: number;
}

/** A number as it was written, such as `5,000.50`, and the factor of a word such as "k". */
export interface NumberText {
  readonly digits: string;
  readonly factor: number;
}
/** An amount in major units. The currency is null when the sentence names none with the amount. */
export interface MoneyText {
  readonly number: NumberText;
  readonly currency: string | null;
}

export type Comparison = "gt" | "gte" | "lt" | "lte";
export interface Bound<Value> {
  readonly comparison: Comparison;
  readonly value: Value;
}

/** A condition that a sentence puts on payments, before numbers are checked and currencies applied. */
export type Condition =
  | { readonly kind: "keys"; readonly when: Conditions }
  | {
      readonly kind: "number";
      readonly field: PlainNumberField;
      readonly bounds: readonly Bound<NumberText>[];
    }
  | {
      readonly kind: "amount";
      readonly field: "amount" | "velocity_amount_1h";
      readonly bounds: readonly Bound<MoneyText>[];
    }
  | { readonly kind: "sample"; readonly percent: NumberText }
  | { readonly kind: "all" | "any"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "refused"; readonly code: WarningCode };

/** A rate as a percentage or in basis points. */
export interface RateText {
  readonly number: NumberText;
  readonly unit: "percent" | "bps";
}
export type LimitText =
  | { readonly kind: "rate"; readonly rate: RateText }
  | { readonly kind: "money"; readonly money: MoneyText; readonly exclusive: boolean };

/** An action that a sentence asks for. */
export type Command =
  | { readonly kind: "action"; readonly then: RuleAction }
  | { readonly kind: "default_provider"; readonly provider: ProviderId }
  /** "… and provider_2 for amex", "… and amex to provider_2": repeats the command before it with other providers. */
  | { readonly kind: "same"; readonly verb: "any" | "send"; readonly providers: ProviderId[] }
  | { readonly kind: "boost"; readonly providers: ProviderId[]; readonly boost: NumberText }
  | { readonly kind: "min_health"; readonly score: NumberText; readonly providers: ProviderId[] }
  | { readonly kind: "retry"; readonly outcome: string | null; readonly sameProvider: boolean }
  | { readonly kind: "max_cost"; readonly limits: readonly LimitText[] }
  | {
      readonly kind: "optimize";
      readonly mode: OptimizationMode;
      readonly margin: RateText | null;
      readonly approvalDrop: RateText | null;
    }
  | { readonly kind: "split"; readonly shares: readonly Share[] };

/** The commands that become rules. */
export type RuleCommand = Exclude<Command, { kind: "default_provider" | "same" }>;

/** The share of one provider. `percent` is null for "the rest". */
export interface Share {
  readonly provider: ProviderId;
  readonly percent: NumberText | null;
}

/** How a statement is joined to the one before it. `start_and`: the sentence begins with "and" or "but". */
export type JoinedBy = "start" | "start_and" | "and" | "but" | "comma_and" | "comma" | "otherwise";

/** One statement as it was read: a command and its conditions, which must all hold. */
export interface StatementSyntax {
  readonly joinedBy: JoinedBy;
  /** The conditions in front of the command: "If …,". */
  readonly lead: readonly Condition[] | null;
  readonly own: readonly Condition[];
  readonly command: Command;
  /** The command blocks, holds or steps up. */
  readonly stops: boolean;
  /** "Send visa to provider_1": the statement names the payments before the provider. */
  readonly sends: boolean;
  /** The object of the command is payments: "hold payments over 500 USD". */
  readonly namesPayments: boolean;
  readonly namesAll: boolean;
  /** The statement ends with "if …" or "unless …". */
  readonly endsWithClause: boolean;
  /**
   * The statement has conditions of both kinds: in an "if …" clause at its start or end, and on the payments that it
   * names.
   */
  readonly isMixed: boolean;
  /** The statement contains "it" or "them", which stand for payments. */
  readonly hasPronoun: boolean;
  /** A condition of the statement may leave out the compared field: "when above 60". */
  readonly isElliptic: boolean;
  /** The words at which the statement and its command begin. */
  readonly at: number;
  readonly commandAt: number;
}
