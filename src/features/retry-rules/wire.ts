import type { FromSchema } from "json-schema-to-ts";
import { RETRY_CATEGORIES, RETRY_CODE_KINDS, RETRY_SCHEMES } from "../../domain/vocabulary/vocabulary.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";

/** A rule's id, which is also the cursor of the list. */
export const retryRuleIdSchema = {
  type: "string",
  pattern: "^[a-z]+_[A-Za-z0-9_]{1,64}$",
  description: "<scheme>_<code>, or <scheme>_any_other.",
} as const;

/** RTRY-2: one row of the table. */
export const retryRuleSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "rule_id",
    "scheme",
    "code",
    "code_kind",
    "meaning",
    "category",
    "wait_seconds",
    "max_attempts",
    "source",
    "effective_date",
    "version",
  ],
  properties: {
    rule_id: retryRuleIdSchema,
    scheme: { type: "string", enum: RETRY_SCHEMES, description: "As transaction.card_network names it." },
    code: {
      type: ["string", "null"],
      maxLength: LIMITS.providerReasonCodeCharsMax,
      description:
        "Compared exactly with previous_attempt.provider_reason_code. Null: every code of the scheme without a row of its own.",
    },
    code_kind: { type: "string", enum: RETRY_CODE_KINDS },
    meaning: { type: "string" },
    category: { type: "string", enum: RETRY_CATEGORIES },
    wait_seconds: {
      type: "integer",
      minimum: 0,
      description: "The least time from the last attempt to the next one.",
    },
    max_attempts: {
      type: "array",
      description:
        "All of these limits apply, per credential. The first attempt counts too. Empty if the category is never.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["attempts", "window_seconds"],
        properties: {
          attempts: { type: "integer", minimum: 1 },
          window_seconds: { type: "integer", minimum: 1 },
        },
      },
    },
    source: { type: "string" },
    effective_date: {
      type: "string",
      pattern: "^\\d{4}-\\d{2}-\\d{2}$",
      description: "ISO 8601: the day from which the newest part of the row holds.",
    },
    version: { type: "integer", minimum: 1, description: "The version of the table that added the row." },
  },
} as const;

/** RTRY-1: GET /v1/retry-rules */
export const retryRuleListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["version", "rules", "has_more"],
  properties: {
    version: { type: "integer", minimum: 1, description: "The version of the whole table." },
    rules: { type: "array", items: retryRuleSchema },
    has_more: { type: "boolean", description: "Whether there are more rows in the direction of the walk." },
  },
} as const;

/** The table is short, so by default a page has all of it. */
export const retryRulePageSizeParameter = {
  type: "integer",
  minimum: 1,
  maximum: LIMITS.pageRowsMax,
  default: LIMITS.pageRowsMax,
} as const;

export type RetryRuleBody = FromSchema<typeof retryRuleSchema>;
export type RetryRuleListBody = FromSchema<typeof retryRuleListSchema>;
