import type { Conditions } from "../../../../domain/policy/policy.js";
import { opposite } from "./negate.js";
import { exactly, readBounds, readMoney, readNumber, readPercent, shareCurrency } from "./read-quantities.js";
import { readHistory, readLists, readProviderFacts } from "./read-facts.js";
import { readDays, readHours } from "./read-time.js";
import {
  type Tree,
  childOf,
  childrenOf,
  contains,
  requiredChild,
  valuesOf,
} from "../grammar/sentence-grammar.js";
import {
  isPlainNumber,
  type MoneyField,
  NUMBER_FORMS,
  NUMBER_TERMINALS,
  type PlainNumberField,
} from "../grammar/field-terminals.js";
import type { Bound, Condition, MoneyText, NumberText } from "../grammar/syntax.js";

/** The seconds of each unit of a duration. Forms in `WINDOWS` name a whole duration. */
const DURATIONS: Readonly<Record<string, number>> = {
  Duration_second: 1,
  Duration_minute: 60,
  Duration_hours: 3600,
  Duration_days: 86_400,
};
const WINDOWS: Readonly<Record<string, string>> = { Duration_ten: "600", Duration_hour: "3600" };

const ZERO: NumberText = { digits: "0", factor: 1 };
const none = (field: PlainNumberField): Condition => ({
  kind: "number",
  field,
  bounds: [{ comparison: "lte", value: ZERO }],
});
const keys = (when: Conditions): Condition => ({ kind: "keys", when });
const conjunction = (of: readonly Condition[]): Condition =>
  of.length === 1 ? (of[0] as Condition) : { kind: "all", of };

function number(field: PlainNumberField, tree: Tree): Condition {
  const range = childOf(tree, "NumRange");
  const bounds: Bound<NumberText>[] =
    range === undefined
      ? exactly(readNumber(requiredChild(tree, "Num")))
      : readBounds(range, "Num", readNumber);
  return { kind: "number", field, bounds };
}

function amount(field: MoneyField, tree: Tree): Condition {
  const range = childOf(tree, "MoneyRange");
  const bounds: Bound<MoneyText>[] =
    range === undefined
      ? exactly(readMoney(requiredChild(tree, "Money")))
      : readBounds(range, "Money", readMoney);
  return { kind: "amount", field, bounds: shareCurrency(bounds) };
}

function duration(tree: Tree): NumberText {
  const form = tree.children[0] as Tree;
  const window = WINDOWS[form.rule];
  if (window !== undefined) return { digits: window, factor: 1 };
  const { digits, factor } = readNumber(requiredChild(form, "Num"));
  return { digits, factor: factor * (DURATIONS[form.rule] as number) };
}

function age(tree: Tree, comparison?: "lt" | "gt"): Condition {
  const value = duration(requiredChild(tree, "Duration"));
  if (comparison !== undefined)
    return { kind: "number", field: "order_age_seconds", bounds: [{ comparison, value }] };
  const cmp = requiredChild(tree, "Cmp").children[0]?.rule;
  const named = { over: "gt", atleast: "gte", under: "lt", atmost: "lte" } as const;
  const bound = { comparison: named[cmp as keyof typeof named], value };
  return { kind: "number", field: "order_age_seconds", bounds: [bound] };
}

type Reader = (tree: Tree) => Condition[];
const below: Reader = (tree) => tree.children.flatMap(readConditions);
const denied: Reader = (tree) => [{ kind: "not", of: conjunction(below(tree)) }];

function signalReader({ field, isNone }: (typeof NUMBER_FORMS)[number]): Reader {
  if (!isPlainNumber(field)) return (tree) => [amount(field, tree)];
  return isNone ? () => [none(field)] : (tree) => [number(field, tree)];
}

/** The readers of forms that mean more than their parts. */
const READERS: Readonly<Record<string, Reader>> = {
  NumTest_not: (tree) => [opposite([numTest(tree)])],
  NumTest_range: (tree) => [numTest(tree)],
  NumTest_is: (tree) => [numTest(tree)],
  AmountPhrase: (tree) => [amount("amount", tree)],
  AmountTest_not: (tree) => [opposite([amount("amount", tree)])],
  AmountTest_range: (tree) => [amount("amount", tree)],
  AmountTest_is: (tree) => [amount("amount", tree)],
  VelocityTest: (tree) => [amount("velocity_amount_1h", tree)],
  ...Object.fromEntries(NUMBER_FORMS.map((form) => [`Signal_${form.name}`, signalReader(form)])),
  Offered_count: (tree) => [number("offered_provider_count", tree)],
  AgeTest_younger: (tree) => [age(tree, "lt")],
  AgeTest_older: (tree) => [age(tree, "gt")],
  AgeTest_ago: (tree) => [age(tree)],
  AgeTest_old: (tree) => [age(tree)],
  AgeTest_age: (tree) => [age(tree)],
  HourTest: (tree) => [readHours(tree)],
  HourRange: (tree) => [readHours(tree)],
  DayPhrase: (tree) => [readDays(tree)],
  DayRange: (tree) => [readDays(tree)],
  SampleOf: (tree) => [{ kind: "sample", percent: readPercent(requiredChild(tree, "Pct")) }],
  SampleShare: (tree) => [
    { kind: "sample", percent: readPercent(requiredChild(tree, "Pct")) },
    ...tree.children.filter(({ rule }) => rule !== "Pct").flatMap(readConditions),
  ],
  Modifier_noncard: (tree) => [
    keys({ card_network_not_in: valuesOf(requiredChild(tree, "aNetwork")) } as Conditions),
    keys({ payment_method_in: ["card"] }),
  ],
  Modifier_non: (tree) => [opposite(readConditions(requiredChild(tree, "Category")))],
  Pp_exceptcountries: (tree) => [keys({ country_not_in: valuesOf(requiredChild(tree, "Countries")) })],
  Pp_exceptcurrencies: (tree) => [keys({ currency_not_in: valuesOf(requiredChild(tree, "Currencies")) })],
  Pp_outside: (tree) => [keys({ country_not_in: valuesOf(tree) })],
  Pp_outsidehours: (tree) => [denyOf(readHours(requiredChild(tree, "HourRange")))],
  Pp_not: (tree) => [opposite(readConditions(requiredChild(tree, "Narrowing")))],
  Pp_withoutattempt: () => [keys({ has_previous_attempt_is: false })],
  Pp_withoutcounted: (tree) => {
    const word = requiredChild(tree, "Counted").children[0]?.rule ?? "";
    return [none(NUMBER_TERMINALS.get(word) as PlainNumberField)];
  },
  Relative_isnot: (tree) => [opposite(readConditions(requiredChild(tree, "Narrowing")))],
  Test_isnotpp: (tree) => [opposite(readConditions(requiredChild(tree, "Narrowing")))],
  Test_isnot: (tree) => [opposite(readConditions(requiredChild(tree, "Predicate")))],
  Test_hasnoattempt: () => [keys({ has_previous_attempt_is: false })],
  Test_hasattempt: () => [keys({ has_previous_attempt_is: true })],
  ClauseOr: (tree) => [
    { kind: "any", of: childrenOf(tree, "Test").map((test) => conjunction(readConditions(test))) },
  ],
  PhraseOr: (tree) => [
    { kind: "any", of: childrenOf(tree, "Pp").map((phrase) => conjunction(readConditions(phrase))) },
  ],
  ClauseAnd: (tree) => (deniesTwice(tree, "ClauseMore_and") ? [UNCLEAR] : below(tree)),
  TailAnd: (tree) => (deniesTwice(tree, "And_and") ? [UNCLEAR] : below(tree)),
  PpOr: (tree) => [
    { kind: "any", of: childrenOf(tree, "Pp").map((phrase) => conjunction(readConditions(phrase))) },
  ],
  ExceptPart_except: (tree) => {
    const of = childrenOf(tree, "ExceptItem").map((item) => conjunction(readConditions(item)));
    return [{ kind: "not", of: of.length === 1 ? (of[0] as Condition) : { kind: "any", of } }];
  },
  // In "Unless the customer is returning for visa", does the exception include the visa or not?
  ExceptPart_unless: (tree) =>
    contains(tree, "ClauseMore_pp") ? [UNCLEAR] : denied({ ...tree, children: childrenOf(tree, "Clause") }),
  Lead_unless: (tree) => denied({ ...tree, children: childrenOf(tree, "Clause") }),
};

const UNCLEAR: Condition = { kind: "refused", code: "not_understood" };
const DENIALS = [
  "Pp_not",
  "Relative_isnot",
  "Test_isnot",
  "Test_isnotpp",
  "NumTest_not",
  "AmountTest_not",
  "Eq_not",
];

/**
 * In "not from guests and in NG", the "not" may also apply to the phrase after "and", because that phrase has no
 * verb.
 */
function deniesTwice(tree: Tree, joined: string): boolean {
  const parts = tree.children.filter(({ rule }) => rule !== "ExceptEnd" && rule !== "IfEnd");
  const first = parts.findIndex((part) => DENIALS.some((denial) => contains(part, denial)));
  return first !== -1 && parts.slice(first + 1).some((part) => contains(part, joined));
}

function numTest(tree: Tree): Condition {
  const word = requiredChild(tree, "NumField").children[0]?.rule ?? "";
  // "A risk over 80" is about the score.
  return number(NUMBER_TERMINALS.get(word) ?? "risk_score", tree);
}

function denyOf(condition: Condition): Condition {
  return condition.kind === "refused" ? condition : { kind: "not", of: condition };
}

/**
 * The leaves that add nothing to the meaning of their phrase. Any other leaf without a reader is a bug and must not be
 * ignored.
 */
const SILENT_LEAVES: ReadonlySet<string> = new Set(
  (
    "in from by for with on of at via during is that whose has there comma and if then either both to " +
    "payment buyer it all everything those utc aCardMethod mode decisionmode worth attempted applyto"
  ).split(" "),
);

/** Forms that may match nothing at all. */
const EMPTY_FORMS: ReadonlySet<string> = new Set(["Tail", "TailAnd"]);

/** All conditions of a part of the tree. */
export function readConditions(tree: Tree): Condition[] {
  const reader = READERS[tree.rule];
  if (reader !== undefined) return reader(tree);
  const read = readLists(tree) ?? readHistory(tree) ?? readProviderFacts(tree);
  if (read !== null) return read;
  if (tree.children.length > 0 && tree.rule !== "Subject") return below(tree);
  if (tree.rule === "Subject" || SILENT_LEAVES.has(tree.rule) || EMPTY_FORMS.has(tree.rule)) return [];
  throw new Error(`the grammar's ${tree.rule} is read by nobody`);
}
