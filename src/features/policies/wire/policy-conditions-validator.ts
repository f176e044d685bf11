import { CONDITION_GROUPS } from "../../../domain/policy/condition-vocabulary.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { createValidator, type JsonSchema, type Validator } from "../../../platform/wire/body-validator.js";
import { joinPath } from "../../../platform/wire/json-text.js";
import type { ValidationIssue } from "../../../platform/wire/validation-issue.js";
import { conditionsSchema } from "./policy-condition-schema.js";

const RARE = { isRare: true };

/** Returns the errors in `when`. Call `conditionsIssues` first, because it limits the nesting. */
export type ConditionsCheck = (when: unknown, path: string) => ValidationIssue[];

/**
 * Checks conditions by the parts of `conditionsSchema`. A part is compiled when a policy first uses it. That takes 1 ms
 * for a field, and would take 65 ms for the whole schema. Issues have the same order as those of the whole schema.
 */
export function createConditionsCheck(providers: readonly string[]): ConditionsCheck {
  const { properties } = conditionsSchema(providers) as { properties: Readonly<Record<string, JsonSchema>> };
  const names = createValidator<object>(
    {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(Object.keys(properties).map((name) => [name, {}])),
    },
    RARE,
  );
  const isList = createValidator<unknown[]>({ type: "array" }, RARE);
  const groups: ReadonlySet<string> = new Set(CONDITION_GROUPS);
  // Fields with the same schema share a validator.
  const bySchema = new Map<string, Validator<unknown>>();
  const fields = new Map<string, Validator<unknown>>();
  const validatorOf = (name: string): Validator<unknown> => {
    let validator = fields.get(name);
    if (validator === undefined) {
      const schema = properties[name] as JsonSchema;
      const text = JSON.stringify(schema);
      validator = bySchema.get(text) ?? createValidator<unknown>(schema, RARE);
      bySchema.set(text, validator);
      fields.set(name, validator);
    }
    return validator;
  };

  const collect = (when: unknown, path: string, issues: ValidationIssue[]): void => {
    const named = names.check(when, path);
    if (!named.ok) issues.push(...named.issues);
    if (typeof when !== "object" || when === null || Array.isArray(when)) return;
    for (const name of Object.keys(properties)) {
      if (issues.length >= LIMITS.validationIssuesMax) return;
      if (!Object.hasOwn(when, name)) continue;
      const value = (when as Record<string, unknown>)[name];
      const isGroup = groups.has(name);
      const checked = (isGroup ? isList : validatorOf(name)).check(value, joinPath(path, name));
      if (!checked.ok) issues.push(...checked.issues);
      else if (isGroup) {
        for (const [index, branch] of (value as unknown[]).entries())
          collect(branch, joinPath(joinPath(path, name), String(index)), issues);
      }
    }
  };

  return (when, path) => {
    const issues: ValidationIssue[] = [];
    collect(when, path, issues);
    return issues.slice(0, LIMITS.validationIssuesMax);
  };
}
