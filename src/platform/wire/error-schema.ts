import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { ISSUE_CODES } from "../../domain/vocabulary/vocabulary.js";

/** ERR-1 to ERR-4: the bodies of errors. */

/** ACC-16, AUTH-36, CH-18: the error codes that a page or a client must distinguish in order to continue. */
const CODES = [
  "one_time_code_required",
  "one_time_code_wrong",
  "must_enrol_codes",
  "older_log_unavailable",
] as const;

export const validationIssueSchema = {
  type: "object",
  additionalProperties: false,
  required: ["path", "code", "message"],
  properties: {
    path: {
      type: "string",
      description: "Dotted; empty for the body itself, query.<name> and headers.<name> elsewhere.",
    },
    code: { type: "string", enum: ISSUE_CODES },
    message: { type: "string" },
  },
} as const;

export const policyIssueSchema = {
  type: "object",
  additionalProperties: false,
  required: ["path", "code", "message", "severity"],
  properties: {
    ...validationIssueSchema.properties,
    severity: {
      type: "string",
      enum: ["error", "warning"],
      description: "Errors always reject, warnings only a publish.",
    },
  },
} as const;

export const validationErrorSchema = {
  type: "object",
  additionalProperties: false,
  required: ["error", "issues"],
  description: "What was submitted is never echoed.",
  properties: {
    error: { const: "validation_error" },
    issues: {
      type: "array",
      items: validationIssueSchema,
      minItems: 1,
      maxItems: LIMITS.validationIssuesMax,
    },
  },
} as const;

export const policyValidationErrorSchema = {
  type: "object",
  additionalProperties: false,
  required: ["error", "issues"],
  properties: {
    error: { const: "policy_validation_failed" },
    issues: { type: "array", items: policyIssueSchema, minItems: 1 },
  },
} as const;

export const rateLimitedSchema = {
  type: "object",
  additionalProperties: false,
  required: ["error", "limit_per_minute"],
  description: "Retry after the next minute boundary.",
  properties: {
    error: { const: "rate_limited" },
    limit_per_minute: { type: "integer", minimum: 1 },
  },
} as const;

/** The body of all other errors. `error` is the status text. */
export const plainErrorSchema = {
  type: "object",
  additionalProperties: false,
  required: ["statusCode", "message", "error"],
  properties: {
    statusCode: { type: "integer", minimum: 400, maximum: 599 },
    message: { type: "string" },
    code: { type: "string", enum: CODES, description: "Present only if several reasons share a status." },
    error: { type: "string", description: "The status text." },
  },
} as const;

export type PlainErrorBody = FromSchema<typeof plainErrorSchema>;
export type RateLimitedBody = FromSchema<typeof rateLimitedSchema>;
