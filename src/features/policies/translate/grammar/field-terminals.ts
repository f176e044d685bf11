import type { ConditionField } from "../../../../domain/policy/condition-fields.js";
import { conditionFieldsOf, type FieldOf } from "../../../../domain/policy/condition-vocabulary.js";

/** The grammar's terminal for what people call a field: its name, which may hold no `_` there. */
export const fieldTerminal = (field: ConditionField): string => field.replaceAll("_", "");

/** Amounts are numbers with a currency, and have forms of their own. */
export type MoneyField = "amount" | "velocity_amount_1h";
/** Fields of plain numbers. */
export type PlainNumberField = Exclude<FieldOf<"number">, MoneyField>;

const MONEY_FIELDS: ReadonlySet<string> = new Set<MoneyField>(["amount", "velocity_amount_1h"]);

/** Terminal → field, of plain numbers. */
export const NUMBER_TERMINALS: ReadonlyMap<string, PlainNumberField> = new Map(
  conditionFieldsOf("number")
    .filter((field): field is PlainNumberField => !MONEY_FIELDS.has(field))
    .map((field) => [fieldTerminal(field), field]),
);
