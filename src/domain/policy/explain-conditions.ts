import { compileKeys, type Test } from "./compile-conditions.js";
import type { PolicyFacts } from "./policy-facts.js";
import type { Conditions } from "./policy.js";
import { CONDITION_FIELDS } from "./condition-fields.js";
import type { Reader } from "./condition-row.js";
import {
  CONDITION_FIELD_NAMES,
  CONDITION_GROUPS,
  CONDITION_OPERATORS,
  type ConditionGroup,
  type ConditionOperator,
} from "./condition-vocabulary.js";
import { sampleBucketOf } from "./stable-hash.js";

/** One key of a `when`, with the request's value for it. */
export interface FieldExplanation {
  /** The key as written: field, `_`, operator. */
  readonly condition: string;
  readonly field: string;
  readonly operator: ConditionOperator;
  /** The value in the rule, as written. */
  readonly expected: unknown;
  /** The value in the request. Null if the field was absent, which makes every condition on it false. */
  readonly actual: unknown;
  readonly held: boolean;
}

/** A group in a `when`, with the result of each branch. */
export interface GroupExplanation {
  readonly condition: ConditionGroup;
  readonly held: boolean;
  /**
   * The deciding branch, counted from 0. For all_of it is the first that did not hold, and for the other groups the
   * first that held. Null if no single branch decided.
   */
  readonly decidedBy: number | null;
  readonly branches: readonly BranchExplanation[];
}

export interface BranchExplanation {
  readonly held: boolean;
  readonly conditions: readonly ConditionExplanation[];
}

export type ConditionExplanation = FieldExplanation | GroupExplanation;
/** Explains every key of a `when` in the order written, including those after the first that did not hold. */
export type ExplainConditions = (facts: PolicyFacts) => ConditionExplanation[];

interface KnownField {
  readonly field: string;
  readonly operator: ConditionOperator;
  readonly read: Reader<unknown>;
}
type ExplainKey = (facts: PolicyFacts) => ConditionExplanation;

/** The keys that read the same value in every rule. */
const PLAIN_KEYS: ReadonlyMap<string, KnownField> = new Map(
  CONDITION_FIELD_NAMES.flatMap((field) => {
    const row = CONDITION_FIELDS[field];
    if (!("read" in row)) return [];
    const { kind, read }: { kind: keyof typeof CONDITION_OPERATORS; read: Reader<unknown> } = row;
    return CONDITION_OPERATORS[kind].map((operator): [string, KnownField] => [
      `${field}_${operator}`,
      { field, operator, read },
    ]);
  }),
);

/** Like `compileConditions` but slower, with reasons for people. It runs the same compiled tests. */
export function explainConditions(when: Conditions, ruleId: string): ExplainConditions {
  const keys = compileKeys(when, ruleId).map(({ key, test }) => {
    const value = when[key as keyof Conditions];
    return isGroup(key)
      ? explainGroup(key, value as Conditions[], ruleId, test)
      : explainField(key, value, ruleId, test);
  });
  return (facts) => keys.map((explain) => explain(facts));
}

function isGroup(key: string): key is ConditionGroup {
  return CONDITION_GROUPS.some((group) => group === key);
}

function explainGroup(
  condition: ConditionGroup,
  branches: readonly Conditions[],
  ruleId: string,
  test: Test,
): ExplainKey {
  const explained = branches.map((branch) => explainConditions(branch, ruleId));
  const decidingAnswer = condition !== "all_of";
  return (facts) => {
    const explanations = explained.map((explain): BranchExplanation => {
      const conditions = explain(facts);
      return { held: conditions.every(({ held }) => held), conditions };
    });
    const decidedBy = explanations.findIndex(({ held }) => held === decidingAnswer);
    return {
      condition,
      held: test(facts),
      decidedBy: decidedBy === -1 ? null : decidedBy,
      branches: explanations,
    };
  };
}

function explainField(condition: string, expected: unknown, ruleId: string, test: Test): ExplainKey {
  const { field, operator, read } = PLAIN_KEYS.get(condition) ?? ownForm(condition, expected, ruleId);
  return (facts) => ({
    condition,
    field,
    operator,
    expected,
    actual: read(facts) ?? null,
    held: test(facts),
  });
}

/** Returns the field of a key whose value depends on the rule's id, or on the provider in the rule's condition. */
function ownForm(condition: string, expected: unknown, ruleId: string): KnownField {
  switch (condition) {
    case "provider_health_state_in": {
      const { provider } = expected as NonNullable<Conditions["provider_health_state_in"]>;
      return {
        field: "provider_health_state",
        operator: "in",
        read: (facts) => facts.health.find(provider, facts.paymentMethod, facts.currency).state,
      };
    }
    case "sample_bps_lt": {
      const bucketOf = sampleBucketOf(ruleId);
      return { field: "sample_bps", operator: "lt", read: (facts) => bucketOf(facts.orderId) };
    }
    default:
      throw new RangeError(`unknown condition ${JSON.stringify(condition)}`);
  }
}
