import type { FromSchema } from "json-schema-to-ts";
import { OIDC_LIMITS } from "../../domain/vocabulary/tuning/oidc.js";
import { createValidator } from "../../platform/wire/body-validator.js";
import { codeSchema } from "../accounts/wire/account-schema.js";

/** AUTH-25: GET /v1/auth/oidc/start. A path of the dashboard. `//host` and `/\host` would lead to another site. */
export const nextParameter = {
  type: "string",
  minLength: 1,
  maxLength: OIDC_LIMITS.nextCharsMax,
  pattern: "^/([^/\\\\\\s][^\\\\\\s]*)?$",
} as const;

/** AUTH-32: POST /v1/auth/oidc/one-time-code */
export const oidcCodeSchema = {
  type: "object",
  additionalProperties: false,
  required: ["code"],
  properties: { code: codeSchema },
} as const;
export const oidcCodeValidator = createValidator<FromSchema<typeof oidcCodeSchema>>(oidcCodeSchema);
