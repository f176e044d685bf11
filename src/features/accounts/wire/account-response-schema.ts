import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import { idSchema, timestampSchema } from "../../../platform/wire/scalars.js";
import { workspaceSchema } from "../../workspaces/wire/workspace-response-schema.js";

/** The parts of the answers that describe users, sessions, API keys and team members. */

export const emailSchema = { type: "string", maxLength: LIMITS.emailCharsMax } as const;
export const nullableNameSchema = { type: ["string", "null"], maxLength: LIMITS.nameCharsMax } as const;

export const userSchema = {
  type: "object",
  additionalProperties: false,
  required: ["user_id", "email", "name"],
  properties: { user_id: idSchema("usr"), email: emailSchema, name: nullableNameSchema },
} as const;

/** ACC-1: the answer of register, login and accept-invitation. */
export const signedInSchema = {
  type: "object",
  additionalProperties: false,
  required: ["user", "workspace", "session"],
  properties: {
    user: userSchema,
    workspace: workspaceSchema,
    session: {
      type: "object",
      additionalProperties: false,
      required: ["token", "expires_at"],
      properties: { token: { type: "string" }, expires_at: timestampSchema },
    },
  },
} as const;

export const accountSchema = {
  type: "object",
  additionalProperties: false,
  required: ["user", "workspace", "role"],
  properties: {
    user: userSchema,
    workspace: workspaceSchema,
    role: { type: "string", enum: ROLES },
    platform_admin: {
      type: "boolean",
      const: true,
      description: "Present only for the platform's administrator.",
    },
    must_enrol_codes: {
      type: "boolean",
      const: true,
      description:
        "The workspace requires one-time codes, and this person has none. All other requests are refused.",
    },
  },
} as const;

export type UserBody = FromSchema<typeof userSchema>;

export type SignedInBody = FromSchema<typeof signedInSchema>;
export type AccountBody = FromSchema<typeof accountSchema>;
