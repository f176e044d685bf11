import type { FromSchema } from "json-schema-to-ts";
import { WORKSPACE_STATUSES } from "../../domain/vocabulary/vocabulary.js";
import { idSchema, timestampSchema } from "../../platform/wire/scalars.js";

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
  properties: { workspaces: { type: "array", items: tenantSchema } },
} as const;

export const tenantResponseSchema = {
  type: "object",
  additionalProperties: false,
  required: ["workspace"],
  properties: { workspace: tenantSchema },
} as const;

export type TenantBody = FromSchema<typeof tenantSchema>;

export type TenantListBody = FromSchema<typeof tenantListSchema>;

export type TenantResponseBody = FromSchema<typeof tenantResponseSchema>;
