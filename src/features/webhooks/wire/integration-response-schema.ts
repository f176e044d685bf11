import type { FromSchema } from "json-schema-to-ts";
import {
  hasMoreOfPageSchema,
  merchantIdSchema,
  nullableTimestampSchema,
  providerIdSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

/** HOOK-13: GET /v1/integrations */
export const integrationListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["integrations"],
  properties: {
    integrations: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["provider", "merchant_id", "webhook_path", "has_secret", "rotated_at", "last_event_at"],
        properties: {
          provider: providerIdSchema,
          merchant_id: merchantIdSchema,
          webhook_path: { type: "string", pattern: "^/v1/provider-webhooks/[^/]+/[^/]+$" },
          has_secret: { type: "boolean" },
          rotated_at: nullableTimestampSchema,
          last_event_at: nullableTimestampSchema,
          needs_workspace_header: {
            type: "boolean",
            const: true,
            description:
              "Present only if so many workspaces share the route that webhooks must name this one.",
          },
        },
      },
    },
    has_more: hasMoreOfPageSchema,
  },
} as const;

/** HOOK-11: PUT /v1/integrations/:provider/webhook-secret */
export const rotatedSecretSchema = {
  type: "object",
  additionalProperties: false,
  required: ["provider", "merchant_id", "rotated_at"],
  properties: {
    provider: providerIdSchema,
    merchant_id: merchantIdSchema,
    secret: {
      type: "string",
      pattern: "^whsec_",
      description: "Present only if it was generated here. It is shown only once.",
    },
    rotated_at: timestampSchema,
  },
} as const;

/** HOOK-5: the result of receiving a webhook. */
export const webhookReceiptSchema = {
  type: "object",
  additionalProperties: false,
  required: ["status"],
  properties: { status: { type: "string", enum: ["accepted", "ignored", "duplicate"] } },
} as const;

export type IntegrationListBody = FromSchema<typeof integrationListSchema>;
export type RotatedSecretBody = FromSchema<typeof rotatedSecretSchema>;
export type WebhookReceiptBody = FromSchema<typeof webhookReceiptSchema>;
