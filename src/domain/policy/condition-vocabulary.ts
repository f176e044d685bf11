import type { ProviderId } from "../vocabulary/decision-request.js";
import { CONDITION_FIELDS, type ConditionField } from "./condition-fields.js";
import type { ConditionKind } from "./condition-row.js";

type Fields = typeof CONDITION_FIELDS;
/** The fields of one kind. */
export type FieldOf<Kind extends ConditionKind> = {
  [F in ConditionField]: Fields[F]["kind"] extends Kind ? F : never;
}[ConditionField];
/** The type of one value in the list of a field's condition. */
export type ListedValue<F extends FieldOf<"list" | "set">> =
  Fields[F]["values"] extends readonly (infer Value)[]
    ? Value
    : Fields[F]["values"] extends "provider"
      ? ProviderId
      : string;

/** The operators of each kind. A condition's key is the field, `_` and the operator. */
export const CONDITION_OPERATORS = {
  number: ["gte", "gt", "lte", "lt"],
  list: ["in", "not_in"],
  set: ["in", "not_in"],
  prefix: ["prefix"],
  flag: ["is"],
  provider_states: ["in"],
  sample: ["lt"],
} as const satisfies Record<ConditionKind, readonly string[]>;
export type OperatorOf<Kind extends ConditionKind> = (typeof CONDITION_OPERATORS)[Kind][number];
export type ConditionOperator = OperatorOf<ConditionKind>;

/** The value of `sample_bps_lt` that covers all orders. */
export const SAMPLE_BPS_MAX = 10_000;

/** Groups are lists of conditions. They nest at most `LIMITS.conditionLevelsMax` deep. */
export const CONDITION_GROUPS = ["any_of", "all_of", "none_of"] as const;
export type ConditionGroup = (typeof CONDITION_GROUPS)[number];

export const CONDITION_FIELD_NAMES = Object.keys(CONDITION_FIELDS) as ConditionField[];

/** The fields of the given kinds, in the order of CONDITION_FIELDS. */
export function conditionFieldsOf<Kind extends ConditionKind>(...kinds: readonly Kind[]): FieldOf<Kind>[] {
  const wanted: ReadonlySet<ConditionKind> = new Set(kinds);
  return CONDITION_FIELD_NAMES.filter((name): name is FieldOf<Kind> =>
    wanted.has(CONDITION_FIELDS[name].kind),
  );
}

/**
 * The smallest and the largest value that a rule may name. With gt and lt, a rule may name a value one beyond these.
 */
export function ruleBounds(field: FieldOf<"number">): readonly [lowest: number, highest: number] {
  const { bounds, ruleMin }: { bounds: readonly [number, number]; ruleMin?: number } =
    CONDITION_FIELDS[field];
  return [ruleMin ?? bounds[0], bounds[1]];
}
