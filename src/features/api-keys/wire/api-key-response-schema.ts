import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { MODES, SCOPES } from "../../../domain/vocabulary/vocabulary.js";
import {
  hasMoreOfPageSchema,
  idSchema,
  merchantIdSchema,
  nullableTimestampSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

export const apiKeySchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "id",
    "name",
    "mode",
    "prefix",
    "scopes",
    "merchant_id",
    "expires_at",
    "created_at",
    "last_used_at",
    "revoked_at",
  ],
  properties: {
    id: idSchema("key"),
    name: { type: "string", maxLength: LIMITS.nameCharsMax },
    mode: { type: "string", enum: MODES },
    prefix: { type: "string", pattern: "^pi_(test|live)_", description: "The public part of the key." },
    scopes: { type: "array", items: { type: "string", enum: SCOPES } },
    merchant_id: { ...merchantIdSchema, type: ["string", "null"], description: "null means every merchant." },
    expires_at: nullableTimestampSchema,
    created_at: timestampSchema,
    last_used_at: nullableTimestampSchema,
    revoked_at: nullableTimestampSchema,
  },
} as const;

export const createdApiKeySchema = {
  type: "object",
  additionalProperties: false,
  required: ["api_key", "secret"],
  properties: {
    api_key: apiKeySchema,
    secret: {
      type: "string",
      pattern: "^pi_(test|live)_",
      description: "The whole key, for the only time.",
    },
  },
} as const;

export const rotatedApiKeySchema = {
  type: "object",
  additionalProperties: false,
  required: ["api_key", "secret", "replaced"],
  properties: {
    ...createdApiKeySchema.properties,
    replaced: { ...apiKeySchema, description: "The old key. It works until its expires_at." },
  },
} as const;

export const revokedApiKeySchema = {
  type: "object",
  additionalProperties: false,
  required: ["api_key"],
  properties: { api_key: apiKeySchema },
} as const;

export const apiKeyListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["api_keys"],
  properties: { api_keys: { type: "array", items: apiKeySchema }, has_more: hasMoreOfPageSchema },
} as const;

export type ApiKeyBody = FromSchema<typeof apiKeySchema>;

export type ApiKeyListBody = FromSchema<typeof apiKeyListSchema>;

export type CreatedApiKeyBody = FromSchema<typeof createdApiKeySchema>;

export type RotatedApiKeyBody = FromSchema<typeof rotatedApiKeySchema>;

export type RevokedApiKeyBody = FromSchema<typeof revokedApiKeySchema>;
