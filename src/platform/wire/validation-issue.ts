import type { FromSchema } from "json-schema-to-ts";
import type { policyIssueSchema, validationIssueSchema } from "./error-schema.js";

/** `path` is dotted, and `""` for the body itself. Never put a submitted value into `path` or `message`. */
export type ValidationIssue = FromSchema<typeof validationIssueSchema>;
export type IssueCode = ValidationIssue["code"];

/** POL-6: an issue of a policy. Errors reject the policy, and warnings only prevent its publication. */
export type PolicyIssue = FromSchema<typeof policyIssueSchema>;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const LONG_DIGITS = /[0-9]{6}/;

/** ERR-12: returns a field name of the caller only if it looks like an identifier and cannot be a card number. */
export function safePathSegment(name: string): string {
  return IDENTIFIER.test(name) && !LONG_DIGITS.test(name) ? name : "[redacted]";
}

/** ERR-1: the JSON text of a validation error. The decide workers answer with it too. */
export function validationErrorBody(issues: readonly ValidationIssue[]): string {
  return JSON.stringify({ error: "validation_error", issues });
}

/** ERR-2: the JSON text of the error of a refused policy. */
export function policyValidationErrorBody(issues: readonly PolicyIssue[]): string {
  return JSON.stringify({ error: "policy_validation_failed", issues });
}
