import {
  createValidator,
  distinct,
  invalidJson,
  type JsonSchema,
} from "../../../platform/wire/body-validator.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import {
  findJsonIssues,
  isPlainJson,
  issueOfWholeText,
  parseJson,
} from "../../../platform/wire/json-text.js";
import { findLostFractions } from "../../../platform/wire/lost-fractions.js";
import type { ValidationIssue } from "../../../platform/wire/validation-issue.js";

/** `inside`: what is wrong with the text of the policy itself, which its own validation has yet to judge. */
export type ParsedFrame<T> =
  | { ok: true; body: T; inside: ValidationIssue[] }
  | { ok: false; issues: ValidationIssue[] };

/**
 * A body that holds a policy: what is wrong around the policy's fields, those that `policyFields` matches, is a
 * validation_error and comes first (POL-7).
 */
export function createPolicyFrame<T>(
  schema: JsonSchema,
  policyFields: RegExp,
): (text: string) => ParsedFrame<T> {
  const frame = createValidator<T>(schema, { listedValuesMax: LIMITS.listedFrameValuesMax });
  return (text) => {
    const whole = issueOfWholeText(text, LIMITS.policyFieldsMax, "fields");
    if (whole !== null) return { ok: false, issues: [whole] };
    const value = parseJson(text);
    if (value === undefined) return invalidJson();
    const found = [
      ...findLostFractions(text),
      ...(isPlainJson(text, value) ? [] : findJsonIssues(text, value)),
    ];
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
