import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { merchantIdSchema } from "../../../platform/wire/scalars.js";
import { WRITTEN_ACTION_TYPES } from "./policy-action-schema.js";

/**
 * POL-1: the members of the body. `rules` and `default_provider` have any type here, because the policy's own
 * validator reports their errors as another kind (POL-7).
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

/** A policy as its validator reads it: only `default_provider` and `rules`. */
export function policySourceSchema(providers: readonly string[]) {
  return {
    type: "object",
    required: ["rules"],
    properties: {
      // null is accepted, because the answers contain it.
      default_provider: { type: ["string", "null"], enum: [...providers, null] },
      rules: { type: "array", maxItems: LIMITS.rulesPerPolicyMax },
    },
  } as const;
}

/** An int32 has room for any order of rules. */
const PRIORITY_MAX = 2 ** 31 - 1;

/** One rule. `when` and `then` have schemas of their own. Defaults replace a missing rule_id, priority or enabled. */
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
