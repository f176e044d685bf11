import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { hasMoreSchema, idSchema, timestampSchema } from "../../platform/wire/scalars.js";

export const sessionSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "session_id",
    "workspace_id",
    "workspace_name",
    "created_at",
    "last_seen_at",
    "expires_at",
    "device",
    "address",
    "current",
  ],
  properties: {
    session_id: idSchema("ses"),
    workspace_id: idSchema("ws"),
    workspace_name: { type: "string", maxLength: LIMITS.nameCharsMax },
    created_at: timestampSchema,
    last_seen_at: { ...timestampSchema, description: "Written at most once a minute." },
    expires_at: { ...timestampSchema, description: "If it is not used again." },
    device: {
      type: ["string", "null"],
      description: "The browser and system of the sign-in, such as Firefox on Linux. null means unknown.",
    },
    address: {
      type: ["string", "null"],
      description: "The address of the sign-in, or the /64 of an IPv6 address. null means not recorded.",
    },
    current: { type: "boolean", description: "True for the session of this request." },
  },
} as const;

/** AUTH-20: GET /v1/auth/sessions */
export const sessionListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["sessions", "has_more"],
  properties: { sessions: { type: "array", items: sessionSchema }, has_more: hasMoreSchema },
} as const;

export type SessionBody = FromSchema<typeof sessionSchema>;

export type SessionListBody = FromSchema<typeof sessionListSchema>;
