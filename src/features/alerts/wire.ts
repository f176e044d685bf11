import type { FromSchema } from "json-schema-to-ts";
import { ALERT_KINDS, alertKindRow, type AlertPlace } from "../../domain/vocabulary/alert-kinds.js";
import { ALERT_SEVERITIES } from "../../domain/vocabulary/vocabulary.js";
import {
  idSchema,
  nullableTimestampSchema,
  providerIdSchema,
  reasonCodeSchema,
  timestampSchema,
} from "../../platform/wire/scalars.js";

const standing = ALERT_KINDS.flatMap((kind) => {
  const row = alertKindRow(kind);
  return row.opensBy === "cause" ? [`${kind}: ${row.standsWhile}.`] : [];
});

function nullFor(place: AlertPlace): string {
  const kinds = ALERT_KINDS.filter((kind) => !alertKindRow(kind).carries.includes(place));
  return `null for ${new Intl.ListFormat("en").format(kinds)}.`;
}

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
      description: standing.join(" "),
    },
    severity: { type: "string", enum: ALERT_SEVERITIES },
    provider: { ...providerIdSchema, type: ["string", "null"], description: nullFor("provider") },
    segment_key: { type: ["string", "null"], description: nullFor("segment_key") },
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
