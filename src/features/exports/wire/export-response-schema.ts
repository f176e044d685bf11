import {
  EXPORT_ERRORS,
  EXPORT_FORMATS,
  EXPORT_KINDS,
  EXPORT_STATUSES,
  MODES,
} from "../../../domain/vocabulary/vocabulary.js";
import type { Answered } from "../../../platform/wire/answered.js";
import {
  countSchema,
  idSchema,
  nullableTimestampSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";
import { exportFilterProperties } from "./export-schema.js";

/** EXP-3. */
export const exportSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "id",
    "kind",
    "format",
    "mode",
    "from",
    "to",
    "filters",
    "status",
    "rows",
    "total_rows",
    "bytes",
    "sha256",
    "error",
    "created_by",
    "created_at",
    "finished_at",
    "expires_at",
  ],
  properties: {
    id: idSchema("xpt"),
    kind: { type: "string", enum: EXPORT_KINDS },
    format: { type: "string", enum: EXPORT_FORMATS },
    mode: { type: "string", enum: MODES },
    from: timestampSchema,
    to: timestampSchema,
    filters: {
      type: "object",
      additionalProperties: false,
      properties: exportFilterProperties,
      description: "The filters of the request.",
    },
    status: {
      type: "string",
      enum: EXPORT_STATUSES,
      description: "done: the file is ready. expired: it is deleted.",
    },
    rows: { ...countSchema, description: "Rows written so far, or all rows once it is done." },
    total_rows: { type: ["integer", "null"], minimum: 0, description: "Null while it is not known." },
    bytes: { ...countSchema, description: "Bytes of the file so far, or its size once it is done." },
    sha256: {
      type: ["string", "null"],
      pattern: "^[0-9a-f]{64}$",
      description: "The SHA-256 of the whole file, in hexadecimal. Null until it is done.",
    },
    error: {
      type: ["string", "null"],
      enum: [...EXPORT_ERRORS, null],
      description: "The reason of a failure. interrupted: several attempts did not reach the end.",
    },
    created_by: idSchema("usr"),
    created_at: timestampSchema,
    finished_at: nullableTimestampSchema,
    expires_at: { ...nullableTimestampSchema, description: "When the file is deleted." },
  },
} as const;

export const exportResponseSchema = {
  type: "object",
  additionalProperties: false,
  required: ["export"],
  properties: { export: exportSchema },
} as const;

export const exportListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["exports", "has_more"],
  properties: {
    exports: { type: "array", items: exportSchema },
    has_more: { type: "boolean", description: "Whether there are more rows in the direction of the walk." },
  },
} as const;

export type ExportBody = Answered<typeof exportSchema>;
export type ExportResponseBody = Answered<typeof exportResponseSchema>;
export type ExportListBody = Answered<typeof exportListSchema>;
