import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import {
  ALERT_SEVERITIES,
  HEALTH_STATES,
  MODES,
  PAYMENT_METHODS,
  WORKSPACE_STATUSES,
} from "../../../domain/vocabulary/vocabulary.js";
import { currencySchema, merchantIdSchema } from "../../../path/wire/decision-schema.js";
import { workspaceSchema } from "../../accounts/wire/account-response-schema.js";
import {
  countSchema,
  idSchema,
  nullableTimestampSchema,
  pointsSchema,
  providerIdSchema,
  reasonCodeSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

/** What a workspace's people administer and look at. */

export const workspaceResponseSchema = {
  type: "object",
  additionalProperties: false,
  required: ["workspace"],
  properties: { workspace: workspaceSchema },
} as const;

export const merchantSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id", "name", "created_at"],
  properties: {
    merchant_id: merchantIdSchema,
    name: { type: ["string", "null"], maxLength: LIMITS.nameCharsMax },
    created_at: timestampSchema,
  },
} as const;

export const createdMerchantSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant"],
  properties: { merchant: merchantSchema },
} as const;

export const merchantListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchants"],
  properties: { merchants: { type: "array", items: merchantSchema } },
} as const;

export const auditLogSchema = {
  type: "object",
  additionalProperties: false,
  required: ["entries", "has_more"],
  properties: {
    entries: {
      type: "array",
      items: {
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
      },
    },
    has_more: { type: "boolean", description: "In the direction walked." },
  },
} as const;

export const monthPattern = "^\\d{4}-(0[1-9]|1[0-2])$";

export const usageReportSchema = {
  type: "object",
  additionalProperties: false,
  required: ["usage"],
  properties: {
    usage: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["month", "mode", "merchant_id", "decisions", "shadow_decisions"],
        properties: {
          month: { type: "string", pattern: monthPattern },
          mode: { type: "string", enum: MODES },
          merchant_id: merchantIdSchema,
          decisions: { ...countSchema, description: "Of enforce: the billable ones." },
          shadow_decisions: countSchema,
        },
      },
    },
  },
} as const;

export const providerOverridesSchema = {
  type: "object",
  additionalProperties: false,
  required: ["provider", "overrides"],
  properties: {
    provider: providerIdSchema,
    overrides: {
      type: "array",
      description: "What is pinned now, oldest first; of those that cover a segment the last one holds.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["state", "score", "payment_method", "currency"],
        properties: {
          state: { type: "string", enum: HEALTH_STATES },
          score: pointsSchema,
          payment_method: { type: ["string", "null"], enum: [...PAYMENT_METHODS, null] },
          currency: { ...currencySchema, type: ["string", "null"] },
        },
      },
    },
  },
} as const;

export const alertSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "alert_id",
    "kind",
    "severity",
    "provider",
    "segment_key",
    "reason_code",
    "opened_at",
    "closed_at",
    "acknowledged_by",
  ],
  properties: {
    alert_id: idSchema("alr"),
    kind: { type: "string", enum: ["provider_health", "workspace_health"] },
    severity: { type: "string", enum: ALERT_SEVERITIES },
    provider: providerIdSchema,
    segment_key: { type: "string" },
    reason_code: reasonCodeSchema,
    opened_at: timestampSchema,
    closed_at: nullableTimestampSchema,
    acknowledged_by: { ...idSchema("usr"), type: ["string", "null"] },
  },
} as const;

export const alertListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["alerts"],
  properties: { alerts: { type: "array", items: alertSchema } },
} as const;

export const acknowledgedAlertSchema = {
  type: "object",
  additionalProperties: false,
  required: ["alert"],
  properties: { alert: alertSchema },
} as const;

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

export type WorkspaceResponseBody = FromSchema<typeof workspaceResponseSchema>;
export type MerchantBody = FromSchema<typeof merchantSchema>;
export type CreatedMerchantBody = FromSchema<typeof createdMerchantSchema>;
export type MerchantListBody = FromSchema<typeof merchantListSchema>;
export type AuditLogBody = FromSchema<typeof auditLogSchema>;
export type ProviderOverridesBody = FromSchema<typeof providerOverridesSchema>;
export type AlertBody = FromSchema<typeof alertSchema>;
export type AlertListBody = FromSchema<typeof alertListSchema>;
export type AcknowledgedAlertBody = FromSchema<typeof acknowledgedAlertSchema>;
export type TenantBody = FromSchema<typeof tenantSchema>;
export type TenantListBody = FromSchema<typeof tenantListSchema>;
export type TenantResponseBody = FromSchema<typeof tenantResponseSchema>;
