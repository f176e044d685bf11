import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { merchantIdSchema } from "../../../platform/wire/scalars.js";
import { WRITTEN_ACTION_TYPES } from "./policy-action-schema.js";

/**
 * POL-1: the top level. Errors under `rules` and `default_provider` are of another kind (POL-7), so the policy's own
 * validator checks these.
 */
export const policyBodySchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id", "name"],
  properties: {
    merchant_id: merchantIdSchema,
    name: { type: "string", minLength: 1, maxLength: LIMITS.policyNameCharsMax },
    /** POL-22: null is accepted, because the answers contain it. */
    comment: { type: ["string", "null"], maxLength: LIMITS.policyCommentCharsMax },
    publish: { type: "boolean" },
    default_provider: {},
    rules: {},
  },
} as const;

export type PolicyBody = FromSchema<typeof policyBodySchema>;

/** A policy as simulate and translate contain it: `default_provider` and `rules` without the other members. */
export function policySourceSchema(providers: readonly string[]) {
  return {
    type: "object",
    required: ["rules"],
    properties: {
      // null, as in the answers, so that an answer can be sent back.
      default_provider: { type: ["string", "null"], enum: [...providers, null] },
      rules: { type: "array", maxItems: LIMITS.rulesPerPolicyMax },
    },
  } as const;
}

/** int32, which is more than enough for any order. */
const PRIORITY_MAX = 2 ** 31 - 1;

/** One rule. Its `when` and `then` have schemas of their own. Missing rule_id, priority and enabled are filled in. */
export const ruleSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "when", "then"],
  properties: {
    rule_id: {
      type: "string",
      minLength: 1,
      maxLength: LIMITS.ruleIdCharsMax,
      pattern: "^[A-Za-z0-9_.:-]*$",
    },
    name: { type: "string", minLength: 1, maxLength: LIMITS.policyNameCharsMax },
    priority: { type: "integer", minimum: -PRIORITY_MAX, maximum: PRIORITY_MAX },
    enabled: { type: "boolean" },
    when: { type: "object" },
    then: {
      type: "object",
      required: ["type"],
      properties: { type: { type: "string", enum: WRITTEN_ACTION_TYPES } },
    },
  },
} as const;

/** A rule that passed `ruleSchema`. */
export type RuleFrame = Omit<FromSchema<typeof ruleSchema>, "when" | "then">;
