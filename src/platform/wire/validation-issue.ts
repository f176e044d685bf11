import type { FromSchema } from "json-schema-to-ts";
import type { policyIssueSchema, validationIssueSchema } from "./error-schema.js";

/** `path` is dotted, and `""` for the body itself. No part of it or of `message` is a submitted value. */
export type ValidationIssue = FromSchema<typeof validationIssueSchema>;
export type IssueCode = ValidationIssue["code"];

/** POL-6: an issue of a policy. Errors always reject, and warnings reject only a publish. */
export type PolicyIssue = FromSchema<typeof policyIssueSchema>;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const LONG_DIGITS = /[0-9]{6}/;

/**
 * ERR-12: a field name from the caller is returned only if it looks like an identifier, and never if it could be a card
 * number.
 */
export function safePathSegment(name: string): string {
  return IDENTIFIER.test(name) && !LONG_DIGITS.test(name) ? name : "[redacted]";
}

/** ERR-1: the finished JSON of a validation error. The decide workers answer with it too. */
export function validationErrorBody(issues: readonly ValidationIssue[]): string {
  return JSON.stringify({ error: "validation_error", issues });
}

/** ERR-2: a policy is rejected. */
export function policyValidationErrorBody(issues: readonly PolicyIssue[]): string {
  return JSON.stringify({ error: "policy_validation_failed", issues });
}
