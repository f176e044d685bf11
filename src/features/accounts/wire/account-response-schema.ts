import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import {
  DECISION_MODES,
  INVITED_ROLES,
  MODES,
  RISK_BLOCK_THRESHOLD_SOURCES,
  ROLES,
  SCOPES,
  WORKSPACE_STATUSES,
} from "../../../domain/vocabulary/vocabulary.js";
import { merchantIdSchema } from "../../../path/wire/decision-schema.js";
import { idSchema, nullableTimestampSchema, timestampSchema } from "../../../platform/wire/scalars.js";

/** Users, sessions, API keys and team. */

const email = { type: "string", maxLength: LIMITS.emailCharsMax } as const;
const nullableName = { type: ["string", "null"], maxLength: LIMITS.nameCharsMax } as const;

export const userSchema = {
  type: "object",
  additionalProperties: false,
  required: ["user_id", "email", "name"],
  properties: { user_id: idSchema("usr"), email, name: nullableName },
} as const;

export const workspaceSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "id",
    "name",
    "status",
    "default_decision_mode",
    "risk_block_threshold",
    "risk_block_threshold_source",
    "created_at",
  ],
  properties: {
    id: idSchema("ws"),
    name: { type: "string", maxLength: LIMITS.nameCharsMax },
    status: { type: "string", enum: WORKSPACE_STATUSES },
    default_decision_mode: {
      type: ["string", "null"],
      enum: [...DECISION_MODES, null],
      description: "null: enforce.",
    },
    risk_block_threshold: {
      type: "integer",
      minimum: 0,
      maximum: 100,
      description: "The one in force: a transaction.risk_score above it is blocked.",
    },
    risk_block_threshold_source: {
      type: "string",
      enum: RISK_BLOCK_THRESHOLD_SOURCES,
      description: "default: the deployment's own, since the workspace has set none.",
    },
    created_at: timestampSchema,
  },
} as const;

/** register, login and accept-invitation */
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
    platform_admin: { type: "boolean", const: true, description: "Of the platform's administrator alone." },
  },
} as const;

export const apiKeySchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "id",
    "name",
    "mode",
    "prefix",
    "scopes",
    "merchant_id",
    "expires_at",
    "created_at",
    "last_used_at",
    "revoked_at",
  ],
  properties: {
    id: idSchema("key"),
    name: { type: "string", maxLength: LIMITS.nameCharsMax },
    mode: { type: "string", enum: MODES },
    prefix: { type: "string", pattern: "^pi_(test|live)_", description: "The part that is no secret." },
    scopes: { type: "array", items: { type: "string", enum: SCOPES } },
    merchant_id: { ...merchantIdSchema, type: ["string", "null"], description: "null: every merchant." },
    expires_at: nullableTimestampSchema,
    created_at: timestampSchema,
    last_used_at: nullableTimestampSchema,
    revoked_at: nullableTimestampSchema,
  },
} as const;

export const createdApiKeySchema = {
  type: "object",
  additionalProperties: false,
  required: ["api_key", "secret"],
  properties: {
    api_key: apiKeySchema,
    secret: {
      type: "string",
      pattern: "^pi_(test|live)_",
      description: "The whole key, for the only time.",
    },
  },
} as const;

export const revokedApiKeySchema = {
  type: "object",
  additionalProperties: false,
  required: ["api_key"],
  properties: { api_key: apiKeySchema },
} as const;

export const apiKeyListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["api_keys"],
  properties: { api_keys: { type: "array", items: apiKeySchema } },
} as const;

export const memberSchema = {
  type: "object",
  additionalProperties: false,
  required: ["user_id", "email", "name", "role", "created_at", "last_login_at"],
  properties: {
    user_id: idSchema("usr"),
    email,
    name: nullableName,
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
    email,
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
    invitations: { type: "array", items: invitationResponseSchema },
  },
} as const;

export const invitedSchema = {
  type: "object",
  additionalProperties: false,
  required: ["invitation", "token"],
  properties: {
    invitation: invitationResponseSchema,
    token: { type: "string", description: "For the only time." },
  },
} as const;

export const changedMemberSchema = {
  type: "object",
  additionalProperties: false,
  required: ["member"],
  properties: { member: memberSchema },
} as const;

export type UserBody = FromSchema<typeof userSchema>;
export type WorkspaceBody = FromSchema<typeof workspaceSchema>;
export type SignedInBody = FromSchema<typeof signedInSchema>;
export type AccountBody = FromSchema<typeof accountSchema>;
export type ApiKeyBody = FromSchema<typeof apiKeySchema>;
export type ApiKeyListBody = FromSchema<typeof apiKeyListSchema>;
export type CreatedApiKeyBody = FromSchema<typeof createdApiKeySchema>;
export type RevokedApiKeyBody = FromSchema<typeof revokedApiKeySchema>;
export type MemberBody = FromSchema<typeof memberSchema>;
export type InvitationBody = FromSchema<typeof invitationResponseSchema>;
export type TeamBody = FromSchema<typeof teamSchema>;
export type InvitedBody = FromSchema<typeof invitedSchema>;
export type ChangedMemberBody = FromSchema<typeof changedMemberSchema>;
