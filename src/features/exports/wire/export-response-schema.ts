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
      description: "Those that the request named.",
    },
    status: {
      type: "string",
      enum: EXPORT_STATUSES,
      description: "done: the file is ready. expired: it is deleted.",
    },
    rows: { ...countSchema, description: "Written so far; once it is done, all." },
    total_rows: { type: ["integer", "null"], minimum: 0, description: "Null while it is not known." },
    bytes: { ...countSchema, description: "Of the file so far; once it is done, its size." },
    sha256: {
      type: ["string", "null"],
      pattern: "^[0-9a-f]{64}$",
      description: "Of the whole file, in hexadecimal. Null until it is done.",
    },
    error: {
      type: ["string", "null"],
      enum: [...EXPORT_ERRORS, null],
      description: "Of a failed one. interrupted: several starts did not reach the end.",
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
    has_more: { type: "boolean", description: "In the direction walked." },
  },
} as const;

export type ExportBody = Answered<typeof exportSchema>;
export type ExportResponseBody = Answered<typeof exportResponseSchema>;
export type ExportListBody = Answered<typeof exportListSchema>;
