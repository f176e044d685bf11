import { CONDITION_FIELDS } from "./condition-fields.js";
import type { Reader } from "./condition-row.js";
import {
  CONDITION_OPERATORS,
  type ConditionGroup,
  conditionFieldsOf,
  type OperatorOf,
} from "./condition-vocabulary.js";
import type { PolicyFacts } from "./policy-facts.js";
import type { Conditions } from "./policy.js";
import { sampleBucketOf } from "./stable-hash.js";

/** One compiled question about a request. */
export type Test = (facts: PolicyFacts) => boolean;

/** A compiled condition with its key, for explanations. */
export interface KeyedTest {
  readonly key: string;
  readonly test: Test;
  /**
   * The condition as a question about one field's value, which an index can answer by a look-up. Null for keys that ask
   * no such question.
   */
  readonly question: FieldQuestion | null;
}

export type NumericOperator = OperatorOf<"number">;
/**
 * A question about one field's value. If the field is absent, the answer is false. Questions about a field share its
 * reader.
 */
export type FieldQuestion =
  | { readonly read: Reader<number>; readonly operator: NumericOperator; readonly bound: number }
  | {
      readonly read: Reader<string | boolean>;
      readonly operator: "in" | "not_in";
      readonly values: readonly (string | boolean)[];
    };
/** Compiles one key's value. Validate the value first: it must have the type that the key has in `Conditions`. */
type Compiler<Value> = (value: Value, ruleId: string) => Test;
interface KeyCompiler<Value> {
  readonly compile: Compiler<Value>;
  readonly questionOf: (value: Value) => FieldQuestion | null;
}

const NUMERIC_OPERATORS = {
  gte: (read: Reader<number>, bound: number) => (facts: PolicyFacts) => {
    const value = read(facts);
    return value !== undefined && value >= bound;
  },
  gt: (read: Reader<number>, bound: number) => (facts: PolicyFacts) => {
    const value = read(facts);
    return value !== undefined && value > bound;
  },
  lte: (read: Reader<number>, bound: number) => (facts: PolicyFacts) => {
    const value = read(facts);
    return value !== undefined && value <= bound;
  },
  lt: (read: Reader<number>, bound: number) => (facts: PolicyFacts) => {
    const value = read(facts);
    return value !== undefined && value < bound;
  },
} as const satisfies Record<NumericOperator, (read: Reader<number>, bound: number) => Test>;

function compileIn(read: Reader<string>, values: readonly string[]): Test {
  const [first, second] = values;
  if (first === undefined) return never;
  if (values.length === 1) return (facts) => read(facts) === first;
  if (values.length === 2) {
    return (facts) => {
      const value = read(facts);
      return value === first || value === second;
    };
  }
  const set = new Set<string | undefined>(values);
  return (facts) => set.has(read(facts));
}

/** COND-3: if the field is absent, `_not_in` is false for every list. */
function compileNotIn(read: Reader<string>, values: readonly string[]): Test {
  if (values.length === 1) {
    const [only] = values;
    return (facts) => {
      const value = read(facts);
      return value !== undefined && value !== only;
    };
  }
  const set = new Set(values);
  return (facts) => {
    const value = read(facts);
    return value !== undefined && !set.has(value);
  };
}

/** The keys whose value is not compared with one field's value. */
type SpecialKey = "provider_health_state_in" | "sample_bps_lt" | ConditionGroup;
const SPECIAL_COMPILERS: { readonly [K in SpecialKey]: Compiler<NonNullable<Conditions[K]>> } = {
  provider_health_state_in: ({ provider, states }) => {
    const listed = new Set(states);
    return (facts) => listed.has(facts.health.find(provider, facts.paymentMethod, facts.currency).state);
  },
  sample_bps_lt: (bps, ruleId) => {
    const bucketOf = sampleBucketOf(ruleId);
    return (facts) => bucketOf(facts.orderId) < bps;
  },
  any_of: (branches, ruleId) => {
    const tests = branches.map((branch) => compileConditions(branch, ruleId));
    return (facts) => tests.some((test) => test(facts));
  },
  all_of: (branches, ruleId) => conjunction(branches.map((branch) => compileConditions(branch, ruleId))),
  // An absent field makes a branch false, so `none_of` holds for that branch.
  none_of: (branches, ruleId) => {
    const tests = branches.map((branch) => compileConditions(branch, ruleId));
    return (facts) => !tests.some((test) => test(facts));
  },
};

const noQuestion = (): null => null;
const COMPILERS: ReadonlyMap<string, KeyCompiler<never>> = new Map<string, KeyCompiler<never>>([
  ...conditionFieldsOf("number").flatMap((field) => {
    const { read }: { read: Reader<number> } = CONDITION_FIELDS[field];
    return CONDITION_OPERATORS.number.map((operator): [string, KeyCompiler<never>] => [
      `${field}_${operator}`,
      {
        compile: (bound: number) => NUMERIC_OPERATORS[operator](read, bound),
        questionOf: (bound: number) => ({ read, operator, bound }),
      },
    ]);
  }),
  ...conditionFieldsOf("list").flatMap((field): [string, KeyCompiler<never>][] => {
    const { read }: { read: Reader<string> } = CONDITION_FIELDS[field];
    return [
      [
        `${field}_in`,
        {
          compile: (values: readonly string[]) => compileIn(read, values),
          questionOf: (values: readonly string[]) => ({ read, operator: "in", values }),
        },
      ],
      [
        `${field}_not_in`,
        {
          compile: (values: readonly string[]) => compileNotIn(read, values),
          questionOf: (values: readonly string[]) => ({ read, operator: "not_in", values }),
        },
      ],
    ];
  }),
  ...conditionFieldsOf("set").flatMap((field): [string, KeyCompiler<never>][] => {
    const { read } = CONDITION_FIELDS[field];
    const compile = (values: readonly string[]): Test => {
      const listed = new Set(values);
      return (facts) => read(facts).some((value) => listed.has(value));
    };
    const compileNot = (values: readonly string[]): Test => {
      const listed = new Set(values);
      return (facts) => !read(facts).some((value) => listed.has(value));
    };
    return [
      [`${field}_in`, { compile, questionOf: noQuestion }],
      [`${field}_not_in`, { compile: compileNot, questionOf: noQuestion }],
    ];
  }),
  ...conditionFieldsOf("prefix").map((field): [string, KeyCompiler<never>] => {
    const { read } = CONDITION_FIELDS[field];
    const compile = (prefixes: readonly string[]): Test => {
      return (facts) => prefixes.some((prefix) => read(facts).startsWith(prefix));
    };
    return [`${field}_prefix`, { compile, questionOf: noQuestion }];
  }),
  ...conditionFieldsOf("flag").map((field): [string, KeyCompiler<never>] => {
    const { read }: { read: Reader<boolean> } = CONDITION_FIELDS[field];
    return [
      `${field}_is`,
      {
        compile: (wanted: boolean) => (facts) => read(facts) === wanted,
        questionOf: (wanted: boolean) => ({ read, operator: "in", values: [wanted] }),
      },
    ];
  }),
  ...Object.entries(SPECIAL_COMPILERS).map(([key, compile]): [string, KeyCompiler<never>] => [
    key,
    { compile, questionOf: noQuestion },
  ]),
]);

/** Every key that a `when` may have, in no particular order. */
export const CONDITION_KEYS: readonly string[] = [...COMPILERS.keys()];

/** One key of a `when` as a test. Throws RangeError for a key that validation should have refused. */
export function compileKey(key: string, value: unknown, ruleId: string): Test {
  return compilerOf(key).compile(value as never, ruleId);
}

/** Like `compileKey`, but also returns what an index and an explanation need. */
export function compileKeyed(key: string, value: unknown, ruleId: string): KeyedTest {
  const { compile, questionOf } = compilerOf(key);
  return { key, test: compile(value as never, ruleId), question: questionOf(value as never) };
}

function compilerOf(key: string): KeyCompiler<never> {
  const compiler = COMPILERS.get(key);
  if (compiler === undefined) throw new RangeError(`unknown condition ${JSON.stringify(key)}`);
  return compiler;
}

/** Compiles each key of `when`, in the order written. */
export function compileKeys(when: Conditions, ruleId: string): KeyedTest[] {
  return writtenKeys(when).map(([key, value]) => compileKeyed(key, value, ruleId));
}

/** COND-1: `when`: all keys must hold. */
export function compileConditions(when: Conditions, ruleId: string): Test {
  return conjunction(writtenKeys(when).map(([key, value]) => compileKey(key, value, ruleId)));
}

function writtenKeys(when: Conditions): [key: string, value: unknown][] {
  return Object.entries(when).filter(([, value]) => value !== undefined);
}

/**
 * Combines tests with AND, without a loop for the sizes that rules usually have. Each closure captures only the tests
 * that it runs.
 */
export function conjunction(tests: readonly Test[]): Test {
  const [a = always, b = always, c = always] = tests;
  if (tests.length <= 1) return a;
  if (tests.length === 2) return both(a, b);
  return tests.length === 3 ? allThree(a, b, c) : every(tests);
}

function both(a: Test, b: Test): Test {
  return (facts) => a(facts) && b(facts);
}

function allThree(a: Test, b: Test, c: Test): Test {
  return (facts) => a(facts) && b(facts) && c(facts);
}

function every(tests: readonly Test[]): Test {
  return (facts) => {
    for (const test of tests) if (!test(facts)) return false;
    return true;
  };
}

function always(): boolean {
  return true;
}

function never(): boolean {
  return false;
}
