import type { FromSchema } from "json-schema-to-ts";
import { ALERT_KINDS, alertKindRow, type AlertPlace } from "../../domain/vocabulary/alert-kinds.js";
import { ALERT_SEVERITIES } from "../../domain/vocabulary/vocabulary.js";
import {
  countSchema,
  idSchema,
  nullableRateSchema,
  rateSchema,
  nullableTimestampSchema,
  providerIdSchema,
  reasonCodeSchema,
  timestampSchema,
} from "../../platform/wire/scalars.js";

const standing = ALERT_KINDS.flatMap((kind) => {
  const row = alertKindRow(kind);
  return row.opensBy === "health" ? [] : [`${kind}: ${row.standsWhile}.`];
});

function nullFor(place: AlertPlace): string {
  const kinds = ALERT_KINDS.filter((kind) => !alertKindRow(kind).carries.includes(place));
  return `null for ${new Intl.ListFormat("en").format(kinds)}.`;
}

/** ALRT-18 */
const evidenceSchema = {
  type: ["object", "null"],
  additionalProperties: false,
  required: ["from", "to", "outcomes", "approved", "failed", "rate", "bound", "baseline"],
  properties: {
    from: timestampSchema,
    to: timestampSchema,
    outcomes: { ...countSchema, description: "The payments that count." },
    approved: { type: ["integer", "null"], minimum: 0, description: "Null for technical_failures." },
    failed: { type: ["integer", "null"], minimum: 0, description: "Null except for technical_failures." },
    rate: { ...rateSchema, description: "The share of approved or of failed payments." },
    bound: {
      ...rateSchema,
      description:
        "The bound of a 95 % confidence interval: the true rate is not above it, or for technical_failures not below it.",
    },
    baseline: { ...nullableRateSchema, description: "The usual approval rate. Null for technical_failures." },
  },
  description: "The workspace's own outcomes that caused the alert, at its opening. Null for other kinds.",
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
    "evidence",
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
    evidence: evidenceSchema,
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
