import {
  conjunction,
  type FieldQuestion,
  type KeyedTest,
  type NumericOperator,
  type Test,
} from "./compile-conditions.js";
import type { Reader } from "./condition-row.js";
import type { PolicyFacts } from "./policy-facts.js";

/**
 * Finds the matching rules without testing each of them. For a field that several rules ask about, the request's value
 * selects a row of bits, one bit for each rule. The bit is 1 if the rule's conditions on this field hold, or if the
 * rule has none on it. The rows of all such fields are combined with AND, which leaves the rules that can match (packet
 * classification by bit vectors, Lakshman and Stiliadis 1998). A policy then costs one look-up for each field, however
 * many rules it has. Conditions that the index does not cover are tested afterwards, for the remaining rules only.
 */
export interface RuleIndex {
  /** Writes the matching rules into `matching` and returns their number. */
  match(facts: PolicyFacts): number;
  /**
   * The positions of the matching rules, ascending. Only the first entries are valid: the number that `match` returned.
   */
  readonly matching: Int32Array;
  /** The approximate memory that the index takes. */
  readonly bytes: number;
}

interface Column {
  readonly rows: BitRows;
  /** The approximate memory that the column's values take. */
  readonly valuesBytes: number;
  /** The row of a request's value. */
  rowOf(facts: PolicyFacts): number;
}

type NumericQuestion = Extract<FieldQuestion, { bound: number }>;
type ListedQuestion = Exclude<FieldQuestion, NumericQuestion>;
interface RuleQuestion<Question> {
  readonly rule: number;
  readonly question: Question;
}

/**
 * A field that fewer rules ask about is not indexed. A look-up costs as much as several tests, and a rule that does not
 * match needs only one or two tests.
 */
const FIELD_RULES_MIN = 6;
/**
 * The most values of an indexed field, counted for each rule that names them. Values cost memory, and time when a
 * policy is published.
 */
const FIELD_VALUES_MAX = 4096;
const WORD_BITS = 32;

// The numbers below estimate memory, measured as in compile-policy.ts. With the tests that an index replaces, the
// estimate is 0.9 to 1.7 times the real memory.
const BYTES_BASE = 600;
const BYTES_PER_RULE = 350;
const BYTES_PER_COLUMN = 700;
const BYTES_PER_LISTED_VALUE = 50;

/** Creates the index. `rules` contains each rule's conditions. */
export function createRuleIndex(rules: readonly (readonly KeyedTest[])[]): RuleIndex {
  const numeric = questionsByField(rules, isNumeric);
  const listed = questionsByField(rules, isListed);
  const columns = [
    ...Array.from(listed, ([read, questions]) => listedColumn(read, questions, rules.length)),
    ...Array.from(numeric, ([read, questions]) => numericColumn(read, questions, rules.length)),
  ];
  const indexed = new Set<unknown>([...numeric.keys(), ...listed.keys()]);
  const remaining = rules.map((tests): Test | null => {
    const unindexed = tests.filter(({ question }) => question === null || !indexed.has(question.read));
    return unindexed.length === 0 ? null : conjunction(unindexed.map(({ test }) => test));
  });
  const all = rulesBut([], rules.length);
  const words = all.length;
  /** The offset of the request's row in each column. */
  const begins = new Int32Array(columns.length);
  const matching = new Int32Array(rules.length);

  return {
    matching,
    bytes: columns.reduce(
      (sum, { rows, valuesBytes }) => sum + BYTES_PER_COLUMN + rows.cells.byteLength + valuesBytes,
      BYTES_BASE + BYTES_PER_RULE * rules.length,
    ),
    match(facts) {
      let count = 0;
      for (let column = 0; column < columns.length; column++) {
        begins[column] = (columns[column] as Column).rowOf(facts) * words;
      }
      for (let word = 0; word < words; word++) {
        let left = all[word] as number;
        for (let column = 0; column < columns.length && left !== 0; column++) {
          left &= (columns[column] as Column).rows.cells[(begins[column] as number) + word] as number;
        }
        for (; left !== 0; left &= left - 1) {
          const rule = word * WORD_BITS + lowestBit(left);
          const test = remaining[rule] as Test | null;
          if (test === null || test(facts)) matching[count++] = rule;
        }
      }
      return count;
    },
  };
}

/** Groups the questions by their field's reader. Fields with too few rules or too many values are left out. */
function questionsByField<Question extends FieldQuestion>(
  rules: readonly (readonly KeyedTest[])[],
  isWanted: (question: FieldQuestion) => question is Question,
): Map<Question["read"], RuleQuestion<Question>[]> {
  const questionsByRead = new Map<Question["read"], RuleQuestion<Question>[]>();
  rules.forEach((tests, rule) => {
    for (const { question } of tests) {
      if (question === null || !isWanted(question)) continue;
      const list = questionsByRead.get(question.read);
      if (list === undefined) questionsByRead.set(question.read, [{ rule, question }]);
      else list.push({ rule, question });
    }
  });
  for (const [read, questions] of questionsByRead) {
    const rulesAsking = new Set(questions.map(({ rule }) => rule)).size;
    const values = questions.reduce((sum, { question }) => sum + valueCount(question), 0);
    if (rulesAsking < FIELD_RULES_MIN || values > FIELD_VALUES_MAX) questionsByRead.delete(read);
  }
  return questionsByRead;
}

function valueCount(question: FieldQuestion): number {
  return isNumeric(question) ? 1 : question.values.length;
}

function isNumeric(question: FieldQuestion): question is NumericQuestion {
  return "bound" in question;
}

function isListed(question: FieldQuestion): question is ListedQuestion {
  return !isNumeric(question);
}

/** A column with a row for each listed value, one row for all other values, and one for an absent field. */
function listedColumn(
  read: Reader<string | boolean>,
  questions: readonly RuleQuestion<ListedQuestion>[],
  ruleCount: number,
): Column {
  const rowOfValue = new Map<string | boolean | undefined, number>();
  for (const { question } of questions) {
    for (const value of question.values) if (!rowOfValue.has(value)) rowOfValue.set(value, rowOfValue.size);
  }
  const other = rowOfValue.size;
  const absent = other + 1;
  rowOfValue.set(undefined, absent);
  const listing = questions.filter(({ question }) => question.operator === "in");
  const rows = new BitRows(absent + 1, rulesBut(listing, ruleCount));
  for (const { rule, question } of listing) {
    for (const value of question.values) rows.set(rowOfValue.get(value) as number, rule);
  }
  for (const { rule, question } of questions) {
    rows.clear(absent, rule);
    // Exclusions follow after all `in` lists, because a rule can both list and exclude a value.
    if (question.operator === "not_in") {
      for (const value of question.values) rows.clear(rowOfValue.get(value) as number, rule);
    }
  }
  return {
    rows,
    valuesBytes: rowOfValue.size * BYTES_PER_LISTED_VALUE,
    rowOf: (facts) => rowOfValue.get(read(facts)) ?? other,
  };
}

/**
 * A column with two rows for each bound and one more: below the first bound, on it, between it and the second, and so
 * on. Another row is for an absent field.
 */
function numericColumn(
  read: Reader<number>,
  questions: readonly RuleQuestion<NumericQuestion>[],
  ruleCount: number,
): Column {
  const bounds = Float64Array.from(new Set(questions.map(({ question }) => question.bound))).toSorted();
  const absent = 2 * bounds.length + 1;
  const rowOf = (value: number): number => {
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return bounds[low] === value ? 2 * low + 1 : 2 * low;
  };
  // A rule's conditions on one number form a range. The rule's bit changes only at the ends of the range.
  const ranges = new Map<number, Range>();
  for (const { rule, question } of questions) {
    const range = ranges.get(rule) ?? { from: 0, end: absent };
    ranges.set(rule, range);
    NARROW[question.operator](range, rowOf(question.bound));
  }
  const turning: number[][] = Array.from({ length: absent + 1 }, () => []);
  for (const [rule, { from, end }] of ranges) {
    if (from < end) for (const row of [from, end]) turning[row]?.push(rule);
  }
  const rows = new BitRows(absent + 1, rulesBut(questions, ruleCount));
  turning.forEach((rules, row) => {
    if (row > 0) rows.copy(row - 1, row);
    for (const rule of rules) rows.turn(row, rule);
  });
  return {
    rows,
    valuesBytes: bounds.byteLength,
    rowOf(facts) {
      const value = read(facts);
      return value === undefined ? absent : rowOf(value);
    },
  };
}

/** A range of rows, without the row `end`. */
interface Range {
  from: number;
  end: number;
}

/** Narrows a range by one condition. `on` is the row for the condition's bound. */
const NARROW: Readonly<Record<NumericOperator, (range: Range, on: number) => void>> = {
  gte: (range, on) => (range.from = Math.max(range.from, on)),
  gt: (range, on) => (range.from = Math.max(range.from, on + 1)),
  lte: (range, on) => (range.end = Math.min(range.end, on + 1)),
  lt: (range, on) => (range.end = Math.min(range.end, on)),
};

/** Rows with one bit for each rule. */
class BitRows {
  readonly cells: Int32Array;
  readonly #words: number;

  /** Creates rows that all begin as a copy of `first`. */
  constructor(rows: number, first: Int32Array) {
    this.#words = first.length;
    this.cells = new Int32Array(rows * first.length);
    for (let row = 0; row < rows; row++) this.cells.set(first, row * first.length);
  }

  copy(from: number, to: number): void {
    this.cells.copyWithin(to * this.#words, from * this.#words, (from + 1) * this.#words);
  }

  set(row: number, rule: number): void {
    const cell = this.#cell(row, rule);
    this.cells[cell] = (this.cells[cell] as number) | bit(rule);
  }

  clear(row: number, rule: number): void {
    const cell = this.#cell(row, rule);
    this.cells[cell] = (this.cells[cell] as number) & ~bit(rule);
  }

  turn(row: number, rule: number): void {
    const cell = this.#cell(row, rule);
    this.cells[cell] = (this.cells[cell] as number) ^ bit(rule);
  }

  #cell(row: number, rule: number): number {
    return row * this.#words + Math.floor(rule / WORD_BITS);
  }
}

/** Makes a row with the bits of all rules that have no question in `questions`. */
function rulesBut(questions: readonly RuleQuestion<FieldQuestion>[], ruleCount: number): Int32Array {
  const row = new BitRows(1, new Int32Array(Math.ceil(ruleCount / WORD_BITS)));
  for (let rule = 0; rule < ruleCount; rule++) row.set(0, rule);
  for (const { rule } of questions) row.clear(0, rule);
  return row.cells;
}

function bit(rule: number): number {
  return 1 << (rule % WORD_BITS);
}

function lowestBit(bits: number): number {
  return WORD_BITS - 1 - Math.clz32(bits & -bits);
}
