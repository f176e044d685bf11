import type { FromSchema } from "json-schema-to-ts";
import { createValidator } from "../../../platform/wire/body-validator.js";
import { merchantIdSchema } from "../../../platform/wire/scalars.js";

/** TRANS-1. The limit on the body's size also limits the text. */
export const policyTranslateSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id", "text"],
  properties: { merchant_id: merchantIdSchema, text: { type: "string" } },
} as const;

export type PolicyTranslateBody = FromSchema<typeof policyTranslateSchema>;

export const policyTranslateValidator = createValidator<PolicyTranslateBody>(policyTranslateSchema);
