import type { FromSchema } from "json-schema-to-ts";
import { parseTimestamp } from "../../../domain/vocabulary/timestamp.js";
import { HEALTH_STATES, MODES, PAYMENT_METHODS } from "../../../domain/vocabulary/vocabulary.js";
import { createValidator, type Validated } from "../../../platform/wire/body-validator.js";
import { currencySchema } from "../../../platform/wire/scalars.js";

/** ALRT-6: PUT /v1/admin/provider-overrides/:provider. A null or absent method or currency matches all values. */
export const overrideSchema = {
  type: "object",
  additionalProperties: false,
  required: ["state"],
  properties: {
    state: { type: ["string", "null"], enum: [...HEALTH_STATES, null] },
    score: { type: "number", minimum: 0, maximum: 100 },
    payment_method: { type: ["string", "null"], enum: [...PAYMENT_METHODS, null] },
    currency: { ...currencySchema, type: ["string", "null"] },
    mode: { type: "string", enum: [...MODES, "both"], description: "both by default." },
    expires_at: {
      type: "string",
      format: "iso-8601",
      description: "In the future. The drill then ends by itself.",
    },
  },
} as const;

type OverrideBody = FromSchema<typeof overrideSchema>;

const validator = createValidator<OverrideBody>(overrideSchema);

/** ALRT-20: refuses a drill whose end is in the past. `nowMs` is in Unix milliseconds. */
export function parseOverrideBody(text: string, nowMs: number): Validated<OverrideBody> {
  const parsed = validator.parse(text);
  if (!parsed.ok || parsed.value.expires_at === undefined) return parsed;
  if ((parseTimestamp(parsed.value.expires_at) ?? 0) > nowMs) return parsed;
  return { ok: false, issues: [{ path: "expires_at", code: "custom", message: "Must be in the future" }] };
}
