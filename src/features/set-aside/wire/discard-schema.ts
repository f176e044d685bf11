import type { FromSchema } from "json-schema-to-ts";
import { ACCESS_LIMITS } from "../../../domain/vocabulary/access-limits.js";
import { createValidator } from "../../../platform/wire/body-validator.js";

/** POST /v1/admin/set-aside/:id/discard */
export const discardSchema = {
  type: "object",
  additionalProperties: false,
  required: ["reason"],
  properties: { reason: { type: "string", minLength: 1, maxLength: ACCESS_LIMITS.reasonCharsMax } },
} as const;
export const discardValidator = createValidator<FromSchema<typeof discardSchema>>(discardSchema);
