import type { FromSchema } from "json-schema-to-ts";
import { EMAIL_PATTERN } from "../../../domain/vocabulary/email.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { createValidator } from "../../../platform/wire/body-validator.js";

/** ACC-30: POST /v1/auth/forgot-password */
export const forgottenPasswordSchema = {
  type: "object",
  additionalProperties: false,
  required: ["email"],
  properties: { email: { type: "string", maxLength: LIMITS.emailCharsMax, pattern: EMAIL_PATTERN } },
} as const;
export const forgottenPasswordValidator =
  createValidator<FromSchema<typeof forgottenPasswordSchema>>(forgottenPasswordSchema);

/** ACC-32: POST /v1/auth/email/prove */
export const addressProofSchema = {
  type: "object",
  additionalProperties: false,
  required: ["token"],
  properties: { token: { type: "string", minLength: 1, maxLength: 256 } },
} as const;
export const addressProofValidator =
  createValidator<FromSchema<typeof addressProofSchema>>(addressProofSchema);
