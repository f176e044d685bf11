import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { ACTIONS } from "../../../domain/vocabulary/vocabulary.js";
import type { Answered } from "../../../platform/wire/answered.js";
import { policyIssueSchema } from "../../../platform/wire/error-schema.js";
import { countSchema, decisionIdSchema, providerIdSchema } from "../../../platform/wire/scalars.js";

/** The actions in the lines that POST /v1/policies/backtest streams. */

const action = { type: "string", enum: ACTIONS } as const;

const byAction = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["action", "count"],
    properties: { action, count: countSchema },
  },
} as const;

const outcomeCount = {
  type: "object",
  additionalProperties: false,
  required: ["decisions", "approved"],
  properties: { decisions: countSchema, approved: countSchema },
} as const;

const nullableProvider = { ...providerIdSchema, type: ["string", "null"] } as const;

export const backtestProgressSchema = {
  type: "object",
  additionalProperties: false,
  required: ["type", "replayed", "total"],
  properties: { type: { const: "progress" }, replayed: countSchema, total: countSchema },
} as const;

export const backtestResultSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "type",
    "replayed",
    "not_replayable",
    "changed",
    "by_action_before",
    "by_action_after",
    "transitions",
    "changed_decisions",
    "outcomes",
    "warnings",
  ],
  properties: {
    type: { const: "result" },
    replayed: countSchema,
    not_replayable: countSchema,
    changed: countSchema,
    by_action_before: byAction,
    by_action_after: byAction,
    transitions: {
      type: "array",
      description:
        "Every pair of actions before and after that occurs, including unchanged ones. The counts add up to replayed.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["before", "after", "count"],
        properties: { before: action, after: action, count: countSchema },
      },
    },
    changed_decisions: {
      type: "array",
      maxItems: LIMITS.backtestChangesListedMax,
      description: "The newest changed decisions.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["decision_id", "before", "after", "provider_before", "provider_after", "matched_rules"],
        properties: {
          decision_id: decisionIdSchema,
          before: action,
          after: action,
          provider_before: nullableProvider,
          provider_after: nullableProvider,
          matched_rules: { type: "array", items: { type: "string" } },
        },
      },
    },
    outcomes: {
      type: "object",
      additionalProperties: false,
      description: "Each decision whose outcome is known counts in one of the last five.",
      required: [
        "known",
        "not_known",
        "unchanged",
        "provider_changed",
        "would_be_blocked",
        "would_be_held",
        "no_longer_held",
      ],
      properties: {
        known: countSchema,
        not_known: countSchema,
        unchanged: { ...outcomeCount, description: "The same provider at once, or a block again." },
        provider_changed: outcomeCount,
        would_be_blocked: outcomeCount,
        would_be_held: {
          ...outcomeCount,
          description: "With the draft they wait for a review, whether or not they waited before.",
        },
        no_longer_held: {
          ...outcomeCount,
          description: "They waited for a review, and the draft routes them at once.",
        },
      },
    },
    warnings: { type: "array", items: policyIssueSchema },
  },
} as const;

/** The last line of a backtest that failed after its stream began. */
export const backtestErrorSchema = {
  type: "object",
  additionalProperties: false,
  required: ["type", "message"],
  properties: { type: { const: "error" }, message: { type: "string" } },
} as const;

export const backtestLineSchema = {
  oneOf: [backtestProgressSchema, backtestResultSchema, backtestErrorSchema],
} as const;

export type BacktestProgressBody = Answered<typeof backtestProgressSchema>;
export type BacktestResultBody = Answered<typeof backtestResultSchema>;
