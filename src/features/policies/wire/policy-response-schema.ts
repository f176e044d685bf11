import type { FromSchema } from "json-schema-to-ts";
import type { ActionOption, ActionRow } from "../../../domain/policy/action-row.js";
import { ACTION_TYPES, actionRow } from "../../../domain/policy/action-rows.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { POLICY_STATUSES } from "../../../domain/vocabulary/vocabulary.js";
import type { JsonSchema } from "../../../platform/wire/body-validator.js";
import { policyIssueSchema } from "../../../platform/wire/error-schema.js";
import {
  idSchema,
  merchantIdSchema,
  nullableTimestampSchema,
  providerIdSchema,
  reasonCodeSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

/** COND-1: `when`. The API's document replaces it with the strict schema, which has the deployment's providers. */
export const storedConditionsSchema = { type: "object" } as const;

/** POL-3: null if the policy has no default provider. */
export const nullableProviderSchema = { ...providerIdSchema, type: ["string", "null"] } as const;

function storedOptionSchema(option: ActionOption): JsonSchema {
  switch (option.kind) {
    case "providers":
      return { type: "array", items: providerIdSchema, minItems: 1 };
    case "reason_code":
      return reasonCodeSchema;
    case "provider_reason_codes":
      return { type: "array", items: { type: "string" }, minItems: 1 };
    case "weights":
      return { type: "object", additionalProperties: { type: "integer", minimum: 0, maximum: 100 } };
    case "flag":
      return { type: "boolean" };
    case "choice":
      return { type: "string", enum: option.values };
    case "number": {
      const [minimum, maximum] = option.bounds;
      const type = option.isInteger ? "integer" : "number";
      // The document does not repeat the bound of amounts.
      return maximum === LIMITS.amountMinorMax ? { type, minimum } : { type, minimum, maximum };
    }
  }
}

function storedActionSchema(options: ActionRow["options"]): JsonSchema {
  const types = ACTION_TYPES.filter((type) => actionRow(type).options === options);
  const listed = Object.entries(options);
  const required = listed.filter(([, { presence }]) => presence !== "optional").map(([name]) => name);
  return {
    type: "object",
    additionalProperties: false,
    required: ["type", ...required],
    properties: {
      type: types.length === 1 ? { const: types[0] } : { type: "string", enum: types },
      ...Object.fromEntries(listed.map(([name, option]) => [name, storedOptionSchema(option)])),
    },
  };
}

/**
 * RULE-10: a `then` in normal form. Action types with the same options share one schema. The TypeScript type is
 * `RuleAction`.
 */
export const ruleActionSchema = {
  anyOf: Array.from(new Set(ACTION_TYPES.map((type) => actionRow(type).options)), storedActionSchema),
} as unknown as { readonly type: "object" };

/** POL-4, a rule in normal form. */
export const storedRuleSchema = {
  type: "object",
  additionalProperties: false,
  required: ["rule_id", "name", "priority", "enabled", "when", "then"],
  properties: {
    rule_id: { type: "string" },
    name: { type: "string" },
    priority: { type: "integer", description: "Lower first." },
    enabled: { type: "boolean" },
    when: storedConditionsSchema,
    then: ruleActionSchema,
  },
} as const;

/** POL-21. The prefix is not checked, because a later version may have actors with other prefixes. */
const actorSchema = {
  type: ["string", "null"],
  description: "usr_… or key_…; null if the author is unknown.",
} as const;

const policyProperties = {
  policy_id: idSchema("pol"),
  name: { type: "string", maxLength: LIMITS.policyNameCharsMax },
  status: { type: "string", enum: POLICY_STATUSES },
  version: { type: "string", pattern: "^v[0-9]+$" },
  default_provider: nullableProviderSchema,
  rules: { type: "array", items: storedRuleSchema, maxItems: LIMITS.rulesPerPolicyMax },
  updated_at: timestampSchema,
  author: actorSchema,
  comment: { type: ["string", "null"], maxLength: LIMITS.policyCommentCharsMax },
  published_at: { ...nullableTimestampSchema, description: "When it last went live." },
  published_by: actorSchema,
  archived_at: {
    ...nullableTimestampSchema,
    description: "When another version replaced it; null while none has.",
  },
  archived_by: actorSchema,
} as const;

const VERSION_FIELDS = [
  "policy_id",
  "name",
  "status",
  "version",
  "default_provider",
  "rules",
  "updated_at",
  "author",
  "comment",
  "published_at",
  "published_by",
  "archived_at",
  "archived_by",
] as const;

/** POL-16: GET /v1/policies/:merchantId, one item. */
export const policySchema = {
  type: "object",
  additionalProperties: false,
  required: VERSION_FIELDS,
  properties: policyProperties,
} as const;

/** POL-2: POST /v1/policies: the full policy and its merchant. */
export const merchantPolicySchema = {
  type: "object",
  additionalProperties: false,
  required: [...VERSION_FIELDS, "merchant_id"],
  properties: { ...policyProperties, merchant_id: merchantIdSchema },
} as const;

export const createdPolicySchema = {
  type: "object",
  additionalProperties: false,
  required: ["policy", "db_id", "warnings"],
  properties: {
    policy: merchantPolicySchema,
    db_id: { type: "string", format: "uuid" },
    warnings: { type: "array", items: policyIssueSchema },
  },
} as const;

export const publishedPolicySchema = {
  type: "object",
  additionalProperties: false,
  required: ["policy"],
  properties: { policy: merchantPolicySchema },
} as const;

export const policyListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["policies"],
  properties: {
    policies: {
      type: "array",
      items: policySchema,
      maxItems: LIMITS.policiesListedMax + 1,
      description: "The newest versions, and the live one if it is older.",
    },
  },
} as const;

export type CreatedPolicyBody = FromSchema<typeof createdPolicySchema>;
export type PublishedPolicyBody = FromSchema<typeof publishedPolicySchema>;
