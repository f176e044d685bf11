import type { FromSchema } from "json-schema-to-ts";
import { createValidator } from "./body-validator.js";
import { merchantIdSchema } from "./decision-schema.js";

/** contract §3; whether a secret is one is for auth/webhook-signature.ts to say. */
export const webhookSecretSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id"],
  properties: {
    merchant_id: merchantIdSchema,
    secret: { type: "string", maxLength: 128 },
  },
} as const;

export const webhookSecretValidator =
  createValidator<FromSchema<typeof webhookSecretSchema>>(webhookSecretSchema);
