import type { FromSchema } from "json-schema-to-ts";
import { INVITED_ROLES, ROLES } from "../../../domain/vocabulary/vocabulary.js";
import {
  hasMoreOfPageSchema,
  hasMoreSchema,
  idSchema,
  nullableTimestampSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";
import { emailSchema, nullableNameSchema } from "../../accounts/wire/account-response-schema.js";

/** ACC-27. */
const SHOWN_ONCE = "Shown only once. Absent if it was sent by mail.";

export const memberSchema = {
  type: "object",
  additionalProperties: false,
  required: ["user_id", "email", "name", "role", "created_at", "last_login_at"],
  properties: {
    user_id: idSchema("usr"),
    email: emailSchema,
    name: nullableNameSchema,
    role: { type: "string", enum: ROLES },
    created_at: timestampSchema,
    last_login_at: nullableTimestampSchema,
  },
} as const;

export const invitationResponseSchema = {
  type: "object",
  additionalProperties: false,
  required: ["invitation_id", "email", "role", "created_at", "expires_at"],
  properties: {
    invitation_id: idSchema("inv"),
    email: emailSchema,
    role: { type: "string", enum: INVITED_ROLES },
    created_at: timestampSchema,
    expires_at: timestampSchema,
  },
} as const;

export const teamSchema = {
  type: "object",
  additionalProperties: false,
  required: ["members", "invitations"],
  properties: {
    members: { type: "array", items: memberSchema },
    has_more: hasMoreOfPageSchema,
    invitations: {
      type: "array",
      items: invitationResponseSchema,
      description:
        "The newest invitations that can still be accepted. They are on every page of the members.",
    },
    has_more_invitations: {
      type: "boolean",
      description: "Present if a page was requested. GET /v1/team/invitations lists the others.",
    },
  },
} as const;

export const invitationListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["invitations", "has_more"],
  properties: {
    invitations: { type: "array", items: invitationResponseSchema },
    has_more: hasMoreSchema,
  },
} as const;

export const invitedSchema = {
  type: "object",
  additionalProperties: false,
  required: ["invitation"],
  properties: {
    invitation: invitationResponseSchema,
    token: { type: "string", description: SHOWN_ONCE },
  },
} as const;

export const changedMemberSchema = {
  type: "object",
  additionalProperties: false,
  required: ["member"],
  properties: { member: memberSchema },
} as const;

export const passwordResetSchema = {
  type: "object",
  additionalProperties: false,
  required: ["expires_at"],
  properties: {
    token: { type: "string", description: SHOWN_ONCE },
    expires_at: timestampSchema,
  },
} as const;

export type PasswordResetBody = FromSchema<typeof passwordResetSchema>;

export type MemberBody = FromSchema<typeof memberSchema>;

export type InvitationBody = FromSchema<typeof invitationResponseSchema>;

export type InvitationListBody = FromSchema<typeof invitationListSchema>;

export type TeamBody = FromSchema<typeof teamSchema>;

export type InvitedBody = FromSchema<typeof invitedSchema>;

export type ChangedMemberBody = FromSchema<typeof changedMemberSchema>;
