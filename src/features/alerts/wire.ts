import type { FromSchema } from "json-schema-to-ts";
import { ALERT_SEVERITIES } from "../../domain/vocabulary/vocabulary.js";
import {
  idSchema,
  nullableTimestampSchema,
  providerIdSchema,
  reasonCodeSchema,
  timestampSchema,
} from "../../platform/wire/scalars.js";

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

export type AlertBody = FromSchema<typeof alertSchema>;

export type AlertListBody = FromSchema<typeof alertListSchema>;

export type AcknowledgedAlertBody = FromSchema<typeof acknowledgedAlertSchema>;
