import type { FromSchema } from "json-schema-to-ts";
import { WEBHOOK_SECRET_PATTERN } from "./webhook-secret-pattern.js";
import { createValidator } from "../../../platform/wire/body-validator.js";
import { merchantIdSchema } from "../../../platform/wire/scalars.js";

/** HOOK-11; whether a secret is one is for features/webhooks/webhook-signature.ts to say. */
export const webhookSecretSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id"],
  properties: {
    merchant_id: merchantIdSchema,
    secret: { type: "string", maxLength: 128 },
  },
} as const;

/** The same with what the route refuses beyond it, in its own words. */
export const documentedWebhookSecret = {
  ...webhookSecretSchema,
  properties: {
    ...webhookSecretSchema.properties,
    secret: {
      ...webhookSecretSchema.properties.secret,
      pattern: WEBHOOK_SECRET_PATTERN,
      description: "whsec_ and the base64 of 24 to 64 bytes.",
    },
  },
} as const;

export const webhookSecretValidator =
  createValidator<FromSchema<typeof webhookSecretSchema>>(webhookSecretSchema);
