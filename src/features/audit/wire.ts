import type { FromSchema } from "json-schema-to-ts";
import { AUDIT_ACTIONS } from "../../domain/vocabulary/audit-actions.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { idSchema, merchantIdSchema, timestampSchema } from "../../platform/wire/scalars.js";

/** PostgreSQL accepts no text with U+0000. */
const NO_NUL = "^[^\\0]*$";

export const auditEntrySchema = {
  type: "object",
  additionalProperties: false,
  required: ["audit_id", "actor", "action", "resource", "metadata", "created_at"],
  properties: {
    audit_id: idSchema("aud"),
    actor: { type: "string", description: "usr_… or key_…" },
    action: { type: "string", pattern: "^[a-z_]+\\.[a-z_]+$" },
    resource: { type: "string", description: "The id of the changed object." },
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
    has_more: { type: "boolean", description: "Whether there are more rows in the direction of the walk." },
  },
} as const;

const idText = { type: "string", maxLength: LIMITS.searchCharsMax } as const;

/** ADM-12: the filters of the audit log, for its query and for an export. */
export const auditFilterParameters = {
  action: { schema: { type: "string", enum: AUDIT_ACTIONS }, description: "Only this action." },
  actor: {
    schema: { ...idText, minLength: 1, pattern: "^(?:usr|key)_[0-9a-z]{26}$" },
    description: "Only what this user or key did: usr_… or key_….",
  },
  resource: {
    schema: { ...idText, minLength: 1, pattern: NO_NUL },
    description: "Only what was done to this id.",
  },
  merchant_id: { schema: merchantIdSchema, description: "Only what changed at this merchant." },
  q: {
    schema: { ...idText, minLength: LIMITS.searchCharsMin, pattern: NO_NUL },
    description: "The beginning of a resource's id, or words of an action, or their beginnings.",
  },
} as const;

export type AuditEntryBody = FromSchema<typeof auditEntrySchema>;
export type AuditLogBody = FromSchema<typeof auditLogSchema>;
