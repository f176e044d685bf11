import type { FromSchema } from "json-schema-to-ts";
import { HEALTH_STATES, PAYMENT_METHODS } from "../../../domain/vocabulary/vocabulary.js";
import { createValidator } from "../../../platform/wire/body-validator.js";
import { currencySchema } from "../../../platform/wire/scalars.js";

/** ALRT-6: PUT /v1/admin/provider-overrides/:provider. A null or absent method or currency matches every one. */
export const overrideSchema = {
  type: "object",
  additionalProperties: false,
  required: ["state"],
  properties: {
    state: { type: ["string", "null"], enum: [...HEALTH_STATES, null] },
    score: { type: "number", minimum: 0, maximum: 100 },
    payment_method: { type: ["string", "null"], enum: [...PAYMENT_METHODS, null] },
    currency: { ...currencySchema, type: ["string", "null"] },
  },
} as const;

export const { parse: parseOverrideBody } =
  createValidator<FromSchema<typeof overrideSchema>>(overrideSchema);
