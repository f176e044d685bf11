import { ERASURE_KINDS, ERASURE_STATUSES } from "../../../domain/vocabulary/vocabulary.js";
import type { Answered } from "../../../platform/wire/answered.js";
import {
  countSchema,
  hasMoreSchema,
  idSchema,
  merchantIdSchema,
  nullableTimestampSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

/** ADM-18. */
export const erasureSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "id",
    "kind",
    "workspace_id",
    "merchant_id",
    "status",
    "requested_by",
    "requested_at",
    "finished_at",
    "counts",
  ],
  properties: {
    id: idSchema("ers"),
    kind: { type: "string", enum: ERASURE_KINDS },
    workspace_id: idSchema("ws"),
    merchant_id: { ...merchantIdSchema, type: ["string", "null"], description: "Null: the whole workspace." },
    status: {
      type: "string",
      enum: ERASURE_STATUSES,
      description: "failed: several attempts did not reach the end. It goes on once it is asked for again.",
    },
    requested_by: idSchema("usr"),
    requested_at: timestampSchema,
    finished_at: nullableTimestampSchema,
    counts: {
      anyOf: [{ type: "object", additionalProperties: countSchema }, { type: "null" }],
      description: "Rows that left, by table. Null until the work begins.",
    },
  },
} as const;

export const erasureResponseSchema = {
  type: "object",
  additionalProperties: false,
  required: ["erasure"],
  properties: { erasure: erasureSchema },
} as const;

export const erasureListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["erasures", "has_more"],
  properties: { erasures: { type: "array", items: erasureSchema }, has_more: hasMoreSchema },
} as const;

export type ErasureBody = Answered<typeof erasureSchema>;
export type ErasureResponseBody = Answered<typeof erasureResponseSchema>;
export type ErasureListBody = Answered<typeof erasureListSchema>;
