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

/** `inside` has the errors in the text of the policy's own fields. The caller validates these fields later. */
export type ParsedFrame<T> =
  | { ok: true; body: T; inside: ValidationIssue[] }
  | { ok: false; issues: ValidationIssue[] };

/**
 * Parses a body that contains a policy. Errors outside the policy's fields, which `policyFields` matches, are a
 * validation_error, and are reported first (POL-7).
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
