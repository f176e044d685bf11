import type { ProviderId } from "../../../../domain/vocabulary/decision-request.js";
import type { OptimizationMode } from "../../../../domain/vocabulary/vocabulary.js";
import type { Conditions, RuleAction } from "../../../../domain/policy/policy.js";
import type { PlainNumberField } from "./field-terminals.js";
import type { WarningCode } from "./translation-warning.js";

/** One of the grammar's words, an entity as `kind:value` with the value percent-encoded, and where it begins. */
export interface Word {
  readonly text: string;
  readonly start: number;
}

/** A number as written, `5,000.50`, and the factor of a word such as "k". */
export interface NumberText {
  readonly digits: string;
  readonly factor: number;
}
/** Major units; the currency is null where the sentence names none with the amount. */
export interface MoneyText {
  readonly number: NumberText;
  readonly currency: string | null;
}

export type Comparison = "gt" | "gte" | "lt" | "lte";
export interface Bound<Value> {
  readonly comparison: Comparison;
  readonly value: Value;
}

/** What a sentence asks of a payment, before numbers are checked and currencies applied. */
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

/** What a sentence asks to be done. */
export type Command =
  | { readonly kind: "action"; readonly then: RuleAction }
  | { readonly kind: "default_provider"; readonly provider: ProviderId }
  /** "… and provider_2 for amex", "… and amex to provider_2": what the statement before does, with others. */
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

/** What makes a rule. */
export type RuleCommand = Exclude<Command, { kind: "default_provider" | "same" }>;

/** `percent` is null for "the rest". */
export interface Share {
  readonly provider: ProviderId;
  readonly percent: NumberText | null;
}

/** What joins a statement to the one before it; `start_and`: a sentence that begins with "and" or "but". */
export type JoinedBy = "start" | "start_and" | "and" | "but" | "comma_and" | "comma" | "otherwise";

/** One statement, read: a command and its conditions, which hold together. */
export interface StatementSyntax {
  readonly joinedBy: JoinedBy;
  /** What stands before the command: "If …,". */
  readonly lead: readonly Condition[] | null;
  readonly own: readonly Condition[];
  readonly command: Command;
  /** It blocks, holds or steps up. */
  readonly stops: boolean;
  /** "Send visa to provider_1": what is sent stands before where. */
  readonly sends: boolean;
  /** The command's object are payments: "hold payments over 500 USD". */
  readonly namesPayments: boolean;
  readonly namesAll: boolean;
  /** It ends with "if …" or "unless …". */
  readonly endsWithClause: boolean;
  /** It has conditions of both kinds: in what it leads or ends with, "if …", and of the payments that it names. */
  readonly isMixed: boolean;
  /** It speaks of "it" or "them", which are payments. */
  readonly hasPronoun: boolean;
  /** Its condition may leave out what is compared: "when above 60". */
  readonly isElliptic: boolean;
  /** The words it begins with, and its command begins with. */
  readonly at: number;
  readonly commandAt: number;
}
