import type { FromSchema } from "json-schema-to-ts";
import type { policyIssueSchema, validationIssueSchema } from "./error-schema.js";

/** `path` is dotted. It is `""` for the body itself. Neither `path` nor `message` contains a submitted value. */
export type ValidationIssue = FromSchema<typeof validationIssueSchema>;
export type IssueCode = ValidationIssue["code"];

/** POL-6: an issue of a policy. Errors always reject the policy, and warnings only its publication. */
export type PolicyIssue = FromSchema<typeof policyIssueSchema>;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const LONG_DIGITS = /[0-9]{6}/;

/**
 * ERR-12: a field name from the caller is returned only if it looks like an identifier. It is never returned if it
 * could be a card number.
 */
export function safePathSegment(name: string): string {
  return IDENTIFIER.test(name) && !LONG_DIGITS.test(name) ? name : "[redacted]";
}

/** ERR-1: the finished JSON of a validation error. The decide workers answer with it too. */
export function validationErrorBody(issues: readonly ValidationIssue[]): string {
  return JSON.stringify({ error: "validation_error", issues });
}

/** ERR-2: the error of a refused policy. */
export function policyValidationErrorBody(issues: readonly PolicyIssue[]): string {
  return JSON.stringify({ error: "policy_validation_failed", issues });
}
