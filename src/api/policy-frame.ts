import { createValidator, distinct, invalidJson, type JsonSchema } from "./body-validator.js";
import { LIMITS } from "../shared/limits.js";
import { countKeysInText, findJsonIssues, isPlainJson } from "./json-text.js";
import type { ValidationIssue } from "./validation-issue.js";

/** `inside`: what is wrong with the text of the policy itself, which its own validation has yet to judge. */
export type ParsedFrame<T> =
  | { ok: true; body: T; inside: ValidationIssue[] }
  | { ok: false; issues: ValidationIssue[] };

/**
 * A body that holds a policy: what is wrong around the policy's fields, those that `policyFields` matches, is a
 * validation_error and comes first (contract §5).
 */
export function createPolicyFrame<T>(
  schema: JsonSchema,
  policyFields: RegExp,
): (text: string) => ParsedFrame<T> {
  const frame = createValidator<T>(schema);
  return (text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return invalidJson();
    }
    const found = jsonIssues(text, value);
    // What is of the whole body makes it none of ours, and not to be walked into.
    const checked = found.some(({ path }) => path === "") ? null : frame.check(value, "");
    const outside = [
      ...found.filter(({ path }) => !policyFields.test(path)),
      ...(checked === null || checked.ok ? [] : checked.issues),
    ];
    if (outside.length > 0 || checked === null || !checked.ok) {
      return { ok: false, issues: distinct(outside).slice(0, LIMITS.validationIssuesMax) };
    }
    return { ok: true, body: checked.value, inside: found };
  };
}

/** What JSON.parse lets through, looked for where a glance says that there is some. */
function jsonIssues(text: string, value: unknown): ValidationIssue[] {
  const fields = countKeysInText(text);
  if (fields > LIMITS.policyFieldsMax) {
    const message = `Must hold at most ${LIMITS.policyFieldsMax} fields, nested ones included`;
    return [{ path: "", code: "too_big", message }];
  }
  return fields !== -1 && isPlainJson(text, value) ? [] : findJsonIssues(text, value);
}
