import type { FromSchema } from "json-schema-to-ts";
import { EMAIL_PATTERN } from "../../../domain/vocabulary/email.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { INVITED_ROLES, ROLES } from "../../../domain/vocabulary/vocabulary.js";
import { createValidator } from "../../../platform/wire/body-validator.js";

/** ACC-7: POST /v1/team/invitations */
export const invitationSchema = {
  type: "object",
  additionalProperties: false,
  required: ["email", "role"],
  properties: {
    email: { type: "string", maxLength: LIMITS.emailCharsMax, pattern: EMAIL_PATTERN },
    role: { type: "string", enum: INVITED_ROLES },
  },
} as const;
export const invitationValidator = createValidator<FromSchema<typeof invitationSchema>>(invitationSchema);

/** ACC-13: POST /v1/auth/reset-password */
export const redemptionSchema = {
  type: "object",
  additionalProperties: false,
  required: ["token", "new_password"],
  properties: {
    token: { type: "string", minLength: 1, maxLength: 256 },
    new_password: {
      type: "string",
      minLength: LIMITS.passwordCharsMin,
      maxLength: LIMITS.passwordCharsMax,
    },
  },
} as const;
export const redemptionValidator = createValidator<FromSchema<typeof redemptionSchema>>(redemptionSchema);

/** ACC-8: PATCH /v1/team/:userId */
export const roleChangeSchema = {
  type: "object",
  additionalProperties: false,
  required: ["role"],
  properties: { role: { type: "string", enum: ROLES } },
} as const;
export const roleChangeValidator = createValidator<FromSchema<typeof roleChangeSchema>>(roleChangeSchema);
