import type { FromSchema } from "json-schema-to-ts";
import { EMAIL_PATTERN } from "../../../domain/vocabulary/email.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { createValidator } from "../../../platform/wire/body-validator.js";
import { merchantIdSchema } from "../../../platform/wire/scalars.js";

const email = { type: "string", maxLength: LIMITS.emailCharsMax, pattern: EMAIL_PATTERN } as const;
const name = { type: "string", minLength: 1, maxLength: LIMITS.nameCharsMax } as const;
const newPassword = {
  type: "string",
  minLength: LIMITS.passwordCharsMin,
  maxLength: LIMITS.passwordCharsMax,
} as const;

/** A one-time code of six digits, or a recovery code as it was shown. */
export const codeSchema = {
  type: "string",
  minLength: 6,
  maxLength: 32,
  description: "Six digits, or a recovery code.",
} as const;

/** ACC-1: POST /v1/auth/register */
export const registrationSchema = {
  type: "object",
  additionalProperties: false,
  required: ["email", "password", "workspace_name"],
  properties: {
    email,
    password: newPassword,
    name,
    workspace_name: name,
    merchant_id: merchantIdSchema,
  },
} as const;
export const registrationValidator =
  createValidator<FromSchema<typeof registrationSchema>>(registrationSchema);

/**
 * ACC-3: POST /v1/auth/login. `workspace_id` is an addition of this service: without it, a user of several workspaces
 * could not choose one.
 */
export const loginSchema = {
  type: "object",
  additionalProperties: false,
  required: ["email", "password"],
  properties: {
    email,
    password: { type: "string", minLength: 1, maxLength: LIMITS.passwordCharsMax },
    code: codeSchema,
    workspace_id: { type: "string", pattern: "^ws_[0-7][0-9a-hjkmnp-tv-z]{25}$" },
  },
} as const;
export const loginValidator = createValidator<FromSchema<typeof loginSchema>>(loginSchema);

/** ACC-11: POST /v1/auth/change-password */
export const passwordChangeSchema = {
  type: "object",
  additionalProperties: false,
  required: ["current_password", "new_password"],
  properties: {
    current_password: { type: "string", minLength: 1, maxLength: LIMITS.passwordCharsMax },
    new_password: newPassword,
  },
} as const;
export const passwordChangeValidator =
  createValidator<FromSchema<typeof passwordChangeSchema>>(passwordChangeSchema);

/** ACC-5: POST /v1/auth/accept-invitation */
export const acceptanceSchema = {
  type: "object",
  additionalProperties: false,
  required: ["token", "name", "password"],
  properties: {
    token: { type: "string", minLength: 1, maxLength: 256 },
    name,
    password: newPassword,
    code: codeSchema,
  },
} as const;
export const acceptanceValidator = createValidator<FromSchema<typeof acceptanceSchema>>(acceptanceSchema);
