import { createValidator, distinct, invalidJson, type JsonSchema } from "./body-validator.js";
import { LIMITS } from "../shared/limits.js";
import { countKeysInText, findJsonIssues, isPlainJson, parseJson, TOO_DEEP } from "./json-text.js";
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
  const frame = createValidator<T>(schema, { listedValuesMax: LIMITS.listedFrameValuesMax });
  return (text) => {
    const whole = issueOfWhole(text);
    if (whole !== null) return { ok: false, issues: [whole] };
    const value = parseJson(text);
    if (value === undefined) return invalidJson();
    const found = isPlainJson(text, value) ? [] : findJsonIssues(text, value);
    const checked = frame.check(value, "");
    const outside = [
      ...found.filter(({ path }) => !policyFields.test(path)),
      ...(checked.ok ? [] : checked.issues),
    ];
    if (outside.length > 0 || !checked.ok) {
      return { ok: false, issues: distinct(outside).slice(0, LIMITS.validationIssuesMax) };
    }
    return { ok: true, body: checked.value, inside: found };
  };
}

/** What makes it no body of ours, and not to be parsed: 60,000 different keys take JSON.parse 25 ms. */
function issueOfWhole(text: string): ValidationIssue | null {
  const fields = countKeysInText(text);
  if (fields === -1) return TOO_DEEP;
  if (fields <= LIMITS.policyFieldsMax) return null;
  const message = `Must hold at most ${LIMITS.policyFieldsMax} fields, nested ones included`;
  return { path: "", code: "too_big", message };
}
