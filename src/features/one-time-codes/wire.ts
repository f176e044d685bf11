import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { createValidator } from "../../platform/wire/body-validator.js";
import { codeSchema } from "../accounts/wire/account-schema.js";

const password = { type: "string", minLength: 1, maxLength: LIMITS.passwordCharsMax } as const;

/** ACC-14: POST /v1/auth/one-time-codes */
export const enrolmentSchema = {
  type: "object",
  additionalProperties: false,
  required: ["current_password"],
  properties: { current_password: password },
} as const;
export const enrolmentValidator = createValidator<FromSchema<typeof enrolmentSchema>>(enrolmentSchema);

/** ACC-15: POST /v1/auth/one-time-codes/confirm */
export const confirmationSchema = {
  type: "object",
  additionalProperties: false,
  required: ["code"],
  properties: { code: codeSchema },
} as const;
export const confirmationValidator =
  createValidator<FromSchema<typeof confirmationSchema>>(confirmationSchema);

/** ACC-18: POST /v1/auth/one-time-codes/disable */
export const disablingSchema = {
  type: "object",
  additionalProperties: false,
  required: ["current_password", "code"],
  properties: { current_password: password, code: codeSchema },
} as const;
export const disablingValidator = createValidator<FromSchema<typeof disablingSchema>>(disablingSchema);

export const oneTimeCodesSchema = {
  type: "object",
  additionalProperties: false,
  required: ["enabled", "recovery_codes_left"],
  properties: {
    enabled: { type: "boolean", description: "A sign-in needs a code." },
    recovery_codes_left: { type: "integer", minimum: 0, maximum: LIMITS.recoveryCodes },
  },
} as const;

export const oneTimeCodeSecretSchema = {
  type: "object",
  additionalProperties: false,
  required: ["secret", "otpauth_uri"],
  properties: {
    secret: { type: "string", pattern: "^[A-Z2-7]{32}$", description: "In base32. It is shown only once." },
    otpauth_uri: { type: "string", description: "The same secret in the form that authenticator apps read." },
  },
} as const;

export const recoveryCodesSchema = {
  type: "object",
  additionalProperties: false,
  required: ["recovery_codes"],
  properties: {
    recovery_codes: {
      type: "array",
      maxItems: LIMITS.recoveryCodes,
      description: "Each works once instead of a code. They are shown only once.",
      items: { type: "string", pattern: "^[a-z2-7]{4}(-[a-z2-7]{4}){3}$" },
    },
  },
} as const;

export type OneTimeCodesBody = FromSchema<typeof oneTimeCodesSchema>;

export type OneTimeCodeSecretBody = FromSchema<typeof oneTimeCodeSecretSchema>;

export type RecoveryCodesBody = FromSchema<typeof recoveryCodesSchema>;
