import type { ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState, PolicyStatus } from "../vocabulary/vocabulary.js";
import type { ActionOptions, ActionType } from "./action-rows.js";
import type { ConditionGroup, FieldOf, ListedValue, OperatorOf } from "./condition-vocabulary.js";

type ListField = FieldOf<"list" | "set">;

/** COND-1: every key of a `when` must hold. `{}` always matches. A condition on an absent field is false. */
export type Conditions = { [F in FieldOf<"number"> as `${F}_${OperatorOf<"number">}`]?: number } & {
  [F in ListField as `${F}_${OperatorOf<"list">}`]?: ListedValue<F>[];
} & { [F in FieldOf<"prefix"> as `${F}_${OperatorOf<"prefix">}`]?: string[] } & {
  [F in FieldOf<"flag"> as `${F}_${OperatorOf<"flag">}`]?: boolean;
} & {
  provider_health_state_in?: { provider: ProviderId; states: HealthState[] };
  /** The stable hash of rule_id and order_id, modulo 10000, must be below this. */
  sample_bps_lt?: number;
} & { [Group in ConditionGroup]?: Conditions[] };

/** The value of an option of an action. */
export type OptionValue<Option> = Option extends { kind: "providers" }
  ? ProviderId[]
  : Option extends { kind: "reason_code" }
    ? string
    : Option extends { kind: "provider_reason_codes" }
      ? string[]
      : Option extends { kind: "weights" }
        ? Record<ProviderId, number>
        : Option extends { kind: "flag" }
          ? boolean
          : Option extends { kind: "choice"; values: readonly (infer Value)[] }
            ? Value
            : number;

type NormalOptions<Options> = {
  -readonly [
    Name in keyof Options as Options[Name] extends { presence: "optional" } ? never : Name
  ]: OptionValue<Options[Name]>;
} & {
  -readonly [
    Name in keyof Options as Options[Name] extends { presence: "optional" } ? Name : never
  ]?: OptionValue<Options[Name]>;
};

/** RULE-10: `then`, in normal form (aliases resolved, defaults filled in). */
export type RuleAction = {
  [Type in ActionType]: { type: Type } & NormalOptions<ActionOptions<Type>>;
}[ActionType];

export interface Rule {
  rule_id: string;
  name: string;
  /** A lower priority comes first. Equal priorities keep the order of the rules. */
  priority: number;
  enabled: boolean;
  when: Conditions;
  then: RuleAction;
}

/** A stored policy in normal form. */
export interface Policy {
  policy_id: string;
  name: string;
  status: PolicyStatus;
  /** `v1`, `v2`, … per merchant. */
  version: string;
  /** POL-3: the field is always present, and may be null. */
  default_provider: ProviderId | null;
  rules: Rule[];
  /** ISO 8601 */
  updated_at: string;
}
