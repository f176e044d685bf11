import type { FromSchema } from "json-schema-to-ts";
import { ISSUE_CODES, REQUEST_ERRORS } from "../../domain/vocabulary/vocabulary.js";
import { idSchema, latencyMsSchema, timestampSchema } from "../../platform/wire/scalars.js";

const nodeIdSchema = { type: "string", description: "The node that answered." } as const;

export const requestLogEntrySchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "id",
    "answered_at",
    "method",
    "path",
    "status",
    "duration_ms",
    "api_key_id",
    "api_key_name",
    "request_id",
    "error_code",
    "issue_code",
    "issue_path",
    "node_id",
  ],
  properties: {
    id: idSchema("rlog"),
    answered_at: timestampSchema,
    method: { type: "string", enum: ["GET", "POST", "PUT", "PATCH", "DELETE"] },
    path: { type: "string", description: "The route's pattern: never an id, a query or a body." },
    status: { type: "integer", minimum: 200, maximum: 599 },
    duration_ms: {
      ...latencyMsSchema,
      description: "From the request's head to the last byte of its answer.",
    },
    api_key_id: idSchema("key"),
    api_key_name: {
      type: ["string", "null"],
      description: "Null for a deleted key, and while PostgreSQL is away.",
    },
    request_id: { type: "string", description: "`x-request-id` of the answer." },
    error_code: {
      type: ["string", "null"],
      enum: [...REQUEST_ERRORS, null],
      description: "Why it was refused; null if it was not.",
    },
    issue_code: {
      type: ["string", "null"],
      enum: [...ISSUE_CODES, null],
      description: "The code of the first issue; null without issues.",
    },
    issue_path: {
      type: ["string", "null"],
      description:
        "The path of the first issue, cut after 72 bytes; empty for the body itself. It never contains a value.",
    },
    node_id: nodeIdSchema,
  },
} as const;

export const requestLogSchema = {
  type: "object",
  additionalProperties: false,
  required: ["requests", "has_more", "covers", "node_id"],
  properties: {
    requests: { type: "array", items: requestLogEntrySchema },
    has_more: { type: "boolean", description: "Whether there are more rows in the direction of the walk." },
    covers: {
      type: "string",
      enum: ["this_node"],
      description: "Each node keeps its own requests. Another node may answer the next read.",
    },
    node_id: { ...nodeIdSchema, description: "The node that answered this read." },
  },
} as const;

export type RequestLogBody = FromSchema<typeof requestLogSchema>;

/** A class of statuses, or one status. */
export const requestStatusParameter = {
  type: "string",
  minLength: 3,
  maxLength: 3,
  pattern: "^[2-5](?:xx|[0-9]{2})$",
} as const;

export const requestErrorParameter = { type: "string", enum: REQUEST_ERRORS } as const;
