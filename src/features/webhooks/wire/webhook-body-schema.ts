import type { JsonSchema } from "../../../platform/wire/body-validator.js";
import { RESERVED_KEYS } from "../../../platform/wire/json-text.js";
import { FEE_ASSESSED, KNOWN_TYPES, webhookFeeSchema, webhookFrameSchema } from "./webhook-schema.js";
import { TEXT_PATTERN } from "../../../platform/wire/published-keywords.js";

const FREE_MEMBERS = {
  propertyNames: { pattern: TEXT_PATTERN, not: { enum: [...RESERVED_KEYS] } },
} as const;

/** ERR-14: any JSON except the values that no body may contain. The schema refers to itself by `#`. */
export const freeFormSchema: JsonSchema = {
  description: "Any JSON.",
  anyOf: [
    { type: ["null", "boolean", "number"] },
    { type: "string" },
    { type: "array", items: { $ref: "#" } },
    { type: "object", ...FREE_MEMBERS, additionalProperties: { $ref: "#" } },
  ],
};

const { properties } = webhookFrameSchema;

/** HOOK-7: the shape of `data` depends on the type. parseWebhookBody has the same rule. */
export const webhookBodySchema: JsonSchema = {
  description: `Types: ${KNOWN_TYPES.join(", ")}; any other is answered ignored, whatever its fields are.`,
  oneOf: [
    {
      ...webhookFrameSchema,
      title: FEE_ASSESSED,
      properties: { ...properties, type: { const: FEE_ASSESSED }, data: webhookFeeSchema },
    },
    {
      ...webhookFrameSchema,
      title: "Another known type",
      properties: {
        ...properties,
        type: { enum: KNOWN_TYPES.filter((type) => type !== FEE_ASSESSED) },
        data: { ...properties.data, ...FREE_MEMBERS, additionalProperties: freeFormSchema },
      },
    },
    {
      type: "object",
      title: "Any other type",
      required: ["type"],
      properties: { type: { type: "string", minLength: 1, not: { enum: KNOWN_TYPES } } },
      ...FREE_MEMBERS,
      additionalProperties: freeFormSchema,
    },
  ],
};
