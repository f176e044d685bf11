import type { FromSchema } from "json-schema-to-ts";
import { WEBHOOK_SECRET_PATTERN } from "./webhook-secret-pattern.js";
import { createValidator } from "../../../platform/wire/body-validator.js";
import { merchantIdSchema } from "../../../platform/wire/scalars.js";

/** HOOK-11. features/webhooks/webhook-signature.ts checks the secret itself. */
export const webhookSecretSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id"],
  properties: {
    merchant_id: merchantIdSchema,
    secret: { type: "string", maxLength: 128 },
  },
} as const;

/** `webhookSecretSchema` for the API's document. The description adds the checks that only the code makes. */
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
