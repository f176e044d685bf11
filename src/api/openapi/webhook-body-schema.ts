import type { JsonSchema } from "../body-validator.js";
import { RESERVED_KEYS } from "../json-text.js";
import { FEE_ASSESSED, KNOWN_TYPES, webhookFeeSchema, webhookFrameSchema } from "../webhook-schema.js";
import { TEXT_PATTERN } from "./published-keywords.js";

/** contract §2: any JSON but for what no body may hold. It refers to itself by `#`. */
export const freeFormSchema: JsonSchema = {
  description: "Any JSON.",
  anyOf: [
    { type: ["null", "boolean", "number"] },
    { type: "string" },
    { type: "array", items: { $ref: "#" } },
    {
      type: "object",
      propertyNames: { pattern: TEXT_PATTERN, not: { enum: [...RESERVED_KEYS] } },
      additionalProperties: { $ref: "#" },
    },
  ],
};

const { type, data, ...others } = webhookFrameSchema.properties;

/** contract §8: what `data` is follows from the type, as parseWebhookBody has it. */
export const webhookBodySchema: JsonSchema = {
  ...webhookFrameSchema,
  description: `Types: ${KNOWN_TYPES.join(", ")}; any other is stored and answered ignored.`,
  properties: {
    type,
    ...others,
    data: { ...data, description: `Of ${FEE_ASSESSED} a WebhookFee, of any other type any object.` },
  },
  if: { properties: { type: { const: FEE_ASSESSED } }, required: ["type"] },
  // oxlint-disable-next-line unicorn/no-thenable
  then: { properties: { data: webhookFeeSchema } },
  else: { properties: { data: freeFormSchema } },
};
