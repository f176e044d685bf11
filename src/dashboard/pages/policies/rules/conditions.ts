import { CONDITION_FIELDS, type ConditionField } from "../../../../domain/policy/condition-fields.js";
import type { ConditionKind } from "../../../../domain/policy/condition-row.js";
import {
  ruleBounds,
  CONDITION_FIELD_NAMES,
  CONDITION_GROUPS,
  CONDITION_OPERATORS,
  type ConditionGroup,
  type ConditionOperator,
  type FieldOf,
} from "../../../../domain/policy/condition-vocabulary.js";
import type { WhenDraft } from "../draft/draft.js";

export interface ConditionKey {
  field: ConditionField;
  operator: ConditionOperator;
}

/** All keys of `when` except the groups. */
const KEYS: ReadonlyMap<string, ConditionKey> = new Map(
  CONDITION_FIELD_NAMES.flatMap((field) =>
    operatorsOf(field).map((operator): [string, ConditionKey] => [
      `${field}_${operator}`,
      { field, operator },
    ]),
  ),
);

export function kindOf(field: ConditionField): ConditionKind {
  return CONDITION_FIELDS[field].kind;
}

export function operatorsOf(field: ConditionField): readonly ConditionOperator[] {
  return CONDITION_OPERATORS[kindOf(field)];
}

/** Returns undefined for a group and for an unknown key. */
export function conditionKey(key: string): ConditionKey | undefined {
  return KEYS.get(key);
}

export function isGroup(key: string): key is ConditionGroup {
  return (CONDITION_GROUPS as readonly string[]).includes(key);
}

/** The first value of a new condition. Lists start empty, so that nothing matches by accident. */
export function firstValue(field: ConditionField): unknown {
  const shape = CONDITION_FIELDS[field];
  switch (shape.kind) {
    case "number":
      return ruleBounds(field as FieldOf<"number">)[0];
    case "list":
    case "set":
    case "prefix":
      return [];
    case "flag":
      return true;
    case "provider_states":
      return { provider: "", states: [] };
    case "sample":
      return 1000;
  }
}

/** Returns the first unused key of the field, or undefined if all are used. */
export function freeKey(field: ConditionField, when: WhenDraft): string | undefined {
  return operatorsOf(field)
    .map((operator) => `${field}_${operator}`)
    .find((key) => !Object.hasOwn(when, key));
}

/** Renames a key without moving it. If the new name is already used, nothing changes. */
export function renameKey(when: WhenDraft, key: string, to: string, value: unknown): WhenDraft {
  if (key !== to && Object.hasOwn(when, to)) return when;
  return Object.fromEntries(
    Object.entries(when).map(([name, kept]) => (name === key ? [to, value] : [name, kept])),
  );
}

export function withoutKey(when: WhenDraft, key: string): WhenDraft {
  return Object.fromEntries(Object.entries(when).filter(([name]) => name !== key));
}
