import type { FromSchema } from "json-schema-to-ts";
import { OIDC_LIMITS } from "../../domain/vocabulary/tuning/oidc.js";
import { createValidator } from "../../platform/wire/body-validator.js";
import { codeSchema } from "../accounts/wire/account-schema.js";

/**
 * AUTH-25: `next` of GET /v1/auth/oidc/start is a path of the dashboard. The pattern refuses `//host` and `/\host`,
 * because they lead to another site.
 */
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
