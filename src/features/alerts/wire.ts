import type { FromSchema } from "json-schema-to-ts";
import { ALERT_KINDS, ALERT_SEVERITIES } from "../../domain/vocabulary/vocabulary.js";
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
    kind: {
      type: "string",
      enum: ALERT_KINDS,
      description:
        "set_aside: PostgreSQL refuses records of the workspace, or for the platform admin of any.",
    },
    severity: { type: "string", enum: ALERT_SEVERITIES },
    provider: { ...providerIdSchema, type: ["string", "null"], description: "null for set_aside." },
    segment_key: { type: ["string", "null"], description: "null for set_aside." },
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
