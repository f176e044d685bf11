import type { FromSchema } from "json-schema-to-ts";
import { ACCESS_LIMITS } from "../../domain/vocabulary/access-limits.js";
import { EMAIL_PATTERN } from "../../domain/vocabulary/email.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { createValidator } from "../../platform/wire/body-validator.js";
import { WORKSPACE_STATUSES } from "../../domain/vocabulary/vocabulary.js";
import { hasMoreOfPageSchema, idSchema, timestampSchema } from "../../platform/wire/scalars.js";

export const tenantSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "name", "status", "created_at"],
  properties: {
    id: idSchema("ws"),
    name: { type: "string" },
    status: { type: "string", enum: WORKSPACE_STATUSES },
    created_at: timestampSchema,
  },
} as const;

export const tenantListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["workspaces"],
  properties: { workspaces: { type: "array", items: tenantSchema }, has_more: hasMoreOfPageSchema },
} as const;

export const tenantResponseSchema = {
  type: "object",
  additionalProperties: false,
  required: ["workspace"],
  properties: { workspace: tenantSchema },
} as const;

/** ADM-9: POST /v1/admin/accounts/release */
export const accountReleaseSchema = {
  type: "object",
  additionalProperties: false,
  required: ["email", "reason"],
  properties: {
    email: { type: "string", maxLength: LIMITS.emailCharsMax, pattern: EMAIL_PATTERN },
    reason: { type: "string", minLength: 1, maxLength: ACCESS_LIMITS.reasonCharsMax },
  },
} as const;
export const accountReleaseValidator =
  createValidator<FromSchema<typeof accountReleaseSchema>>(accountReleaseSchema);

export type TenantBody = FromSchema<typeof tenantSchema>;

export type TenantListBody = FromSchema<typeof tenantListSchema>;

export type TenantResponseBody = FromSchema<typeof tenantResponseSchema>;
