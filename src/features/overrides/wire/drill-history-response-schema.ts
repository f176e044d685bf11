import {
  MODES,
  DRILL_ENDINGS,
  HEALTH_STATES,
  PAYMENT_METHODS,
} from "../../../domain/vocabulary/vocabulary.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { Answered } from "../../../platform/wire/answered.js";
import {
  countSchema,
  currencySchema,
  hasMoreSchema,
  idSchema,
  NULL,
  nullableRateSchema,
  nullableTimestampSchema,
  providerIdSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

/** SVC-16: a page is short, because each row needs the traffic of two spans. */
export const drillPageSizeParameter = {
  type: "integer",
  minimum: 1,
  maximum: LIMITS.drillRowsMax,
  default: LIMITS.drillRowsDefault,
} as const;

export const drillFiguresSchema = {
  type: "object",
  additionalProperties: false,
  required: ["from", "to", "decisions", "routed_to_provider", "with_outcome", "approved", "approval_rate"],
  properties: {
    from: { ...timestampSchema, description: "Included." },
    to: { ...timestampSchema, description: "Excluded." },
    decisions: { ...countSchema, description: "All of the workspace and mode, whatever the drill's scope." },
    routed_to_provider: { ...countSchema, description: "Those whose primary provider is the drill's." },
    with_outcome: { ...countSchema, description: "Those whose outcome is known." },
    approved: countSchema,
    approval_rate: { ...nullableRateSchema, description: "approved / with_outcome; null over 0." },
  },
} as const;

const drillTrafficSchema = {
  type: "object",
  additionalProperties: false,
  required: ["during", "before"],
  properties: {
    during: { ...drillFiguresSchema, description: "From its start to its end, or to now while it holds." },
    before: {
      anyOf: [drillFiguresSchema, NULL],
      description:
        "The span just before, which is as long. Null where some of its decisions are no longer kept.",
    },
  },
} as const;

export const drillSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "drill_id",
    "provider",
    "state",
    "payment_method",
    "currency",
    "mode",
    "started_at",
    "started_by",
    "expires_at",
    "ended_at",
    "ended_by",
    "ending",
    "traffic",
  ],
  properties: {
    drill_id: { ...idSchema("aud"), description: "The entry of the audit log that began it." },
    provider: providerIdSchema,
    state: { type: "string", enum: HEALTH_STATES },
    payment_method: { type: ["string", "null"], enum: [...PAYMENT_METHODS, null] },
    currency: { ...currencySchema, type: ["string", "null"] },
    mode: { type: "string", enum: [...MODES, "both"] },
    started_at: timestampSchema,
    started_by: { type: "string", description: "usr_…" },
    expires_at: { ...nullableTimestampSchema, description: "null: it holds until somebody ends it." },
    ended_at: { ...nullableTimestampSchema, description: "null while it holds." },
    ended_by: {
      type: ["string", "null"],
      description: "usr_…, or null while it holds or where its time was over.",
    },
    ending: {
      type: ["string", "null"],
      enum: [...DRILL_ENDINGS, null],
      description: "replaced: a later drill covers it. null while it holds.",
    },
    traffic: {
      anyOf: [drillTrafficSchema, NULL],
      description: "null where some of the drill's decisions are no longer kept.",
    },
  },
} as const;

/** SVC-16: GET /v1/admin/provider-overrides/history */
export const drillHistorySchema = {
  type: "object",
  additionalProperties: false,
  required: ["drills", "has_more"],
  properties: {
    drills: { type: "array", items: drillSchema },
    has_more: hasMoreSchema,
  },
} as const;

export type DrillHistory = Answered<typeof drillHistorySchema>;
export type DrillFigures = Answered<typeof drillFiguresSchema>;
