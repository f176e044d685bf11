import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { createPolicyFrame } from "./policy-frame.js";
import { policyBodySchema, type PolicyBody } from "./policy-schema.js";
import type { PolicyValidator, ValidPolicy } from "./policy-validator.js";
import type { PolicyIssue, ValidationIssue } from "../../../platform/wire/validation-issue.js";

/** A body of POST /v1/policies that may be stored. */
export interface NewPolicyRequest {
  merchantId: string;
  name: string;
  comment: string | null;
  publish: boolean;
  policy: ValidPolicy;
  /** Empty when `publish` is true. */
  warnings: PolicyIssue[];
}

export type ParsedPolicyRequest =
  | { ok: true; value: NewPolicyRequest }
  | { ok: false; kind: "invalid"; issues: ValidationIssue[] }
  | { ok: false; kind: "policy_invalid"; issues: PolicyIssue[] };

const POLICY_FIELDS = /^(?:rules|default_provider)(?:\.|$)/;

/**
 * Parses the text of a body into a policy to store. POL-7: errors outside of `rules` and `default_provider` are a
 * validation_error, and are reported first. Errors in these two are policy_validation_failed. With `publish`, so are
 * the linter's warnings.
 */
export function createPolicyBodyParser(validator: PolicyValidator) {
  const parseFrame = createPolicyFrame<PolicyBody>(policyBodySchema, POLICY_FIELDS);

  return function parse(text: string): ParsedPolicyRequest {
    const framed = parseFrame(text);
    if (!framed.ok) return { kind: "invalid", ...framed };
    const { body, inside: found } = framed;
    const judged = validator.validate(body);
    const inside = found.map((issue): PolicyIssue => ({ ...issue, severity: "error" }));
    if (inside.length > 0 || !judged.ok) return refusal([...inside, ...(judged.ok ? [] : judged.issues)]);
    const publish = body.publish ?? false;
    if (publish && judged.warnings.length > 0) return refusal(judged.warnings);
    const { policy, warnings } = judged;
    const { merchant_id: merchantId, name, comment = null } = body;
    return { ok: true, value: { merchantId, name, comment, publish, policy, warnings } };
  };
}

function refusal(issues: readonly PolicyIssue[]): ParsedPolicyRequest {
  return { ok: false, kind: "policy_invalid", issues: issues.slice(0, LIMITS.validationIssuesMax) };
}
