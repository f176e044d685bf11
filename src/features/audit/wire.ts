import type { FromSchema } from "json-schema-to-ts";
import { idSchema, timestampSchema } from "../../platform/wire/scalars.js";

export const auditEntrySchema = {
  type: "object",
  additionalProperties: false,
  required: ["audit_id", "actor", "action", "resource", "metadata", "created_at"],
  properties: {
    audit_id: idSchema("aud"),
    actor: { type: "string", description: "usr_… or key_…" },
    action: { type: "string", pattern: "^[a-z_]+\\.[a-z_]+$" },
    resource: { type: "string", description: "The id of what was changed." },
    metadata: {
      type: "object",
      additionalProperties: { type: ["string", "number", "null"] },
      description: "Ids, enums, numbers and versions only.",
    },
    created_at: timestampSchema,
  },
} as const;

export const auditLogSchema = {
  type: "object",
  additionalProperties: false,
  required: ["entries", "has_more"],
  properties: {
    entries: {
      type: "array",
      items: auditEntrySchema,
    },
    has_more: { type: "boolean", description: "In the direction walked." },
  },
} as const;

export type AuditEntryBody = FromSchema<typeof auditEntrySchema>;
export type AuditLogBody = FromSchema<typeof auditLogSchema>;
