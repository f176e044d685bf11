import type { FromSchema } from "json-schema-to-ts";
import { MODES } from "../../../domain/vocabulary/vocabulary.js";
import { idSchema, timestampSchema } from "../../../platform/wire/scalars.js";

const RECORD = {
  set_aside_id: idSchema("sas"),
  kind: {
    type: "string",
    enum: ["decision", "outcome", "health_group", "cost", "retry", "kept_outcome"],
    description: "kept_outcome: an outcome that was refused after its decision had arrived.",
  },
  workspace_id: {
    ...idSchema("ws"),
    type: ["string", "null"],
    description: "The workspace of the record; null if it belongs to none.",
  },
  mode: { type: ["string", "null"], enum: [...MODES, null] },
  decision_id: { ...idSchema("dec"), type: ["string", "null"] },
  statement: { type: "string", description: "The table that was filled, or the function that was called." },
  sql_state: { type: "string", description: "The time of the newest refusal." },
  message: {
    type: "string",
    description: "PostgreSQL's own message. It may quote the content of the record.",
  },
  node_id: {
    type: ["string", "null"],
    description: "The node whose journal had it; null for a kept_outcome.",
  },
  position: { type: ["integer", "null"], description: "Its position in that journal." },
  set_aside_at: timestampSchema,
} as const;
const NAMES = [
  "set_aside_id",
  "kind",
  "workspace_id",
  "mode",
  "decision_id",
  "statement",
  "sql_state",
  "message",
  "node_id",
  "position",
  "set_aside_at",
] as const;

export const setAsideRecordSchema = {
  type: "object",
  additionalProperties: false,
  required: NAMES,
  properties: RECORD,
} as const;

export const setAsideListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["records", "has_more"],
  properties: {
    records: { type: "array", items: setAsideRecordSchema },
    has_more: { type: "boolean", description: "Whether there are more rows in the direction of the walk." },
  },
} as const;

export const setAsideDetailSchema = {
  type: "object",
  additionalProperties: false,
  required: ["record"],
  properties: {
    record: {
      type: "object",
      additionalProperties: false,
      required: [...NAMES, "order_id", "entry_base64", "entry"],
      properties: {
        ...RECORD,
        order_id: { type: ["string", "null"] },
        entry_base64: { type: "string", description: "The record's bytes, whole." },
        entry: {
          type: ["object", "null"],
          additionalProperties: true,
          description: "The same record in readable form; null if this build cannot read it.",
        },
      },
    },
  },
} as const;

/** POST /v1/admin/set-aside/:id/retry */
export const storedRecordSchema = {
  type: "object",
  additionalProperties: false,
  required: ["record"],
  properties: { record: setAsideRecordSchema },
} as const;

export type SetAsideRecordBody = FromSchema<typeof setAsideRecordSchema>;

export type SetAsideListBody = FromSchema<typeof setAsideListSchema>;

export type SetAsideDetailBody = FromSchema<typeof setAsideDetailSchema>;

export type StoredRecordBody = FromSchema<typeof storedRecordSchema>;
