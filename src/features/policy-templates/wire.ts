import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { nullableProviderSchema, storedRuleSchema } from "../policies/wire/policy-response-schema.js";

/** A template's id, which is also the cursor of the list. */
export const policyTemplateIdSchema = { type: "string", pattern: "^[a-z]+(_[a-z0-9]+){0,8}$" } as const;

/** POL-24: a policy to begin with. */
export const policyTemplateSchema = {
  type: "object",
  additionalProperties: false,
  required: ["template_id", "name", "english", "default_provider", "rules", "choices"],
  properties: {
    template_id: policyTemplateIdSchema,
    name: { type: "string", maxLength: LIMITS.policyNameCharsMax },
    english: { type: "string", description: "One sentence about its effect." },
    default_provider: nullableProviderSchema,
    rules: {
      type: "array",
      items: storedRuleSchema,
      maxItems: LIMITS.rulesPerPolicyMax,
      description: "Valid as they are, in POST /v1/policies too.",
    },
    choices: {
      type: "array",
      description: "POL-25: the values to choose before it is published.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["path", "english"],
        properties: {
          path: { type: "string", description: "Dotted, as in a validation issue." },
          english: { type: "string" },
        },
      },
    },
  },
} as const;

/** GET /v1/policy-templates */
export const policyTemplateListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["templates", "has_more"],
  properties: {
    templates: { type: "array", items: policyTemplateSchema },
    has_more: { type: "boolean", description: "Whether there are more rows in the direction of the walk." },
  },
} as const;

/** The list is short, so by default a page has all of it. */
export const policyTemplatePageSizeParameter = {
  type: "integer",
  minimum: 1,
  maximum: LIMITS.pageRowsMax,
  default: LIMITS.pageRowsMax,
} as const;

export type PolicyTemplateBody = FromSchema<typeof policyTemplateSchema>;
export type PolicyTemplateListBody = FromSchema<typeof policyTemplateListSchema>;
