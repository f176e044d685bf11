import { LIMITS } from "../shared/limits.js";
import { createValidator, distinct, invalidJson } from "./body-validator.js";
import { countKeysInText, findJsonIssues, isPlainJson } from "./json-text.js";
import { policyBodySchema, type PolicyBody } from "./policy-schema.js";
import type { PolicyValidator, ValidPolicy } from "./policy-validator.js";
import type { PolicyIssue, ValidationIssue } from "./validation-issue.js";

/** A body of POST /v1/policies that may be stored. */
export interface NewPolicyRequest {
  merchantId: string;
  name: string;
  publish: boolean;
  policy: ValidPolicy;
  /** Empty where `publish` is true. */
  warnings: PolicyIssue[];
}

export type ParsedPolicyRequest =
  | { ok: true; value: NewPolicyRequest }
  | { ok: false; kind: "invalid"; issues: ValidationIssue[] }
  | { ok: false; kind: "policy_invalid"; issues: PolicyIssue[] };

const POLICY_FIELDS = /^(?:rules|default_provider)(?:\.|$)/;

/**
 * Body text → what to store. contract §5: what is wrong with the body around the policy is a validation_error, and
 * comes first; what is wrong at or under `rules` and `default_provider` is policy_validation_failed, and so are
 * warnings of a policy that is to be published.
 */
export function createPolicyBodyParser(validator: PolicyValidator) {
  const frame = createValidator<PolicyBody>(policyBodySchema);

  return function parse(text: string): ParsedPolicyRequest {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { kind: "invalid", ...invalidJson() };
    }
    const found = jsonIssues(text, value);
    // What is of the whole body makes it no policy's, and not to be walked into.
    const checked = found.some(({ path }) => path === "") ? null : frame.check(value, "");
    const outside = [
      ...found.filter(({ path }) => !POLICY_FIELDS.test(path)),
      ...(checked === null || checked.ok ? [] : checked.issues),
    ];
    if (outside.length > 0 || checked === null || !checked.ok) {
      return { ok: false, kind: "invalid", issues: distinct(outside).slice(0, LIMITS.validationIssuesMax) };
    }
    const body = checked.value;
    const judged = validator.validate(body);
    const inside = found.map((issue): PolicyIssue => ({ ...issue, severity: "error" }));
    if (inside.length > 0 || !judged.ok) return refusal([...inside, ...(judged.ok ? [] : judged.issues)]);
    const publish = body.publish ?? false;
    if (publish && judged.warnings.length > 0) return refusal(judged.warnings);
    const { policy, warnings } = judged;
    return { ok: true, value: { merchantId: body.merchant_id, name: body.name, publish, policy, warnings } };
  };
}

/** What JSON.parse lets through, looked for where a glance says that there is some. */
export function jsonIssues(text: string, value: unknown): ValidationIssue[] {
  const fields = countKeysInText(text);
  if (fields > LIMITS.policyFieldsMax) {
    const message = `Must hold at most ${LIMITS.policyFieldsMax} fields, nested ones included`;
    return [{ path: "", code: "too_big", message }];
  }
  return fields !== -1 && isPlainJson(text, value) ? [] : findJsonIssues(text, value);
}

function refusal(issues: readonly PolicyIssue[]): ParsedPolicyRequest {
  return { ok: false, kind: "policy_invalid", issues: issues.slice(0, LIMITS.validationIssuesMax) };
}
