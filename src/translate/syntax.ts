import type { ProviderId } from "../shared/decision-request.js";
import type { OptimizationMode } from "../shared/vocabulary.js";
import type { Conditions, RuleAction } from "../policy/policy.js";
import type { NumericField } from "../policy/condition-fields.js";
import type { WarningCode } from "./translation-warning.js";

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
  | { readonly kind: "number"; readonly field: NumericField; readonly bounds: readonly Bound<NumberText>[] }
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

/** `percent` is null for "the rest". */
export interface Share {
  readonly provider: ProviderId;
  readonly percent: NumberText | null;
}

/** One sentence, read: the conditions all hold together. */
export interface SentenceSyntax {
  readonly command: Command;
  readonly conditions: readonly Condition[];
}
