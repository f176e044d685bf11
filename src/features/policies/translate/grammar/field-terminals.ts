import { CONDITION_FIELDS, type ConditionField } from "../../../../domain/policy/condition-fields.js";
import type { FieldRow, ListedValues } from "../../../../domain/policy/condition-row.js";
import { conditionFieldsOf, type FieldOf } from "../../../../domain/policy/condition-vocabulary.js";
import type { Conditions } from "../../../../domain/policy/policy.js";
import {
  CARD_NETWORKS,
  CUSTOMER_TYPES,
  DECISION_MODES,
  MODES,
  PAYMENT_METHODS,
  PREVIOUS_OUTCOMES,
  REPORTED_RISK_BANDS,
  RISK_BANDS,
  TRANSACTION_TYPES,
} from "../../../../domain/vocabulary/vocabulary.js";

/** The grammar's terminal for a field's name in English. The terminal may not contain `_`. */
export const fieldTerminal = (field: ConditionField): string => field.replaceAll("_", "");

type Fields = typeof CONDITION_FIELDS;
/** Amounts are numbers with a currency, and have their own forms. */
export type MoneyField = {
  [F in FieldOf<"number">]: Fields[F] extends { isMoney: true } ? F : never;
}[FieldOf<"number">];
/** Fields of plain numbers. */
export type PlainNumberField = Exclude<FieldOf<"number">, MoneyField>;

export function isPlainNumber(field: FieldOf<"number">): field is PlainNumberField {
  return !("isMoney" in CONDITION_FIELDS[field]);
}

/** The field of each terminal that compares a plain number. */
export const NUMBER_TERMINALS: ReadonlyMap<string, PlainNumberField> = new Map(
  conditionFieldsOf("number")
    .filter(isPlainNumber)
    .map((field) => [fieldTerminal(field), field]),
);

/** The grammar's rule for the values of a list. */
const RULES_OF_VALUES: ReadonlyMap<ListedValues, string> = new Map<ListedValues, string>([
  ["currency", "Currencies"],
  ["country", "Countries"],
  ["provider", "Providers"],
  ["reason_code", "Codes"],
  [PAYMENT_METHODS, "Methods"],
  [CARD_NETWORKS, "Networks"],
  [TRANSACTION_TYPES, "Types"],
  [CUSTOMER_TYPES, "BareKinds"],
  [REPORTED_RISK_BANDS, "Levels"],
  [RISK_BANDS, "Levels"],
  [PREVIOUS_OUTCOMES, "Outcomes"],
  [MODES, "Modes"],
  [DECISION_MODES, "Decisions"],
]);

function ruleOfValues(field: FieldOf<"list">): string {
  const rule = RULES_OF_VALUES.get(CONDITION_FIELDS[field].values);
  if (rule === undefined) throw new RangeError(`the grammar has no rule for the values of ${field}`);
  return rule;
}

/** A form of the grammar that asks about one field. */
interface FieldForm {
  /** The form, in Ohm's notation. */
  form: string;
  /** The name of the form, after `FieldTest_`, `Signal_` or `FlagTest_`. */
  name: string;
}
interface ListForm extends FieldForm {
  key: keyof Conditions;
}
interface NumberForm extends FieldForm {
  field: FieldOf<"number">;
  /** True for "no declines". */
  isNone: boolean;
}
interface FlagForm extends FieldForm {
  when: Conditions;
}

/** The forms for lists and for the beginning of a text, made from the field's name. */
export const LIST_FORMS: readonly ListForm[] = [
  ...conditionFieldsOf("list").map((field): ListForm => {
    const name = fieldTerminal(field);
    return { form: `${name} Eq? ${ruleOfValues(field)}`, name, key: `${field}_in` };
  }),
  ...conditionFieldsOf("prefix").map((field): ListForm => {
    const name = fieldTerminal(field);
    return { form: `${name} beginswith Codes`, name, key: `${field}_prefix` };
  }),
];

type NumberRow = Extract<FieldRow, { kind: "number" }>;
const numberRows: readonly [FieldOf<"number">, NumberRow][] = conditionFieldsOf("number").map((field) => [
  field,
  CONDITION_FIELDS[field],
]);

/** The terminals of counted fields. */
export const COUNTED_TERMINALS: readonly string[] = numberRows.flatMap(([field, { isCounted }]) =>
  isCounted === true ? [fieldTerminal(field)] : [],
);

/** The forms for numbers, made from the phrases in their rows of CONDITION_FIELDS. */
export const NUMBER_FORMS: readonly NumberForm[] = numberRows.flatMap(
  ([field, { isCounted, phrases = [] }]) => {
    const name = fieldTerminal(field);
    return [...(isCounted === true ? [`no ${name}`, `NumRange ${name}`] : []), ...phrases].map(
      (form, at) => ({ form, name: `${name}${at}`, field, isNone: !form.includes("Range") }),
    );
  },
);

/** The forms for flags, made from the field's name and from the phrases in their rows of CONDITION_FIELDS. */
export const FLAG_FORMS: readonly FlagForm[] = conditionFieldsOf("flag").flatMap((field) => {
  const row: Extract<FieldRow, { kind: "flag" }> = CONDITION_FIELDS[field];
  if (row.english === null) return [];
  const name = fieldTerminal(field);
  return [true, false].flatMap((wanted) =>
    [`${name} is? ${wanted}`, ...(row.phrases?.[`${wanted}`] ?? [])].map((form, at): FlagForm => ({
      form,
      name: `${name}${wanted}${at}`,
      when: { [`${field}_is`]: wanted },
    })),
  );
});
