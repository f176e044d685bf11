import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { parseTimestamp } from "../../../domain/vocabulary/timestamp.js";
import { MODES, SCOPES } from "../../../domain/vocabulary/vocabulary.js";
import { createValidator, type Validated } from "../../../platform/wire/body-validator.js";
import { merchantIdSchema } from "../../../platform/wire/scalars.js";

/** KEY-4: POST /v1/api-keys */
export const newApiKeySchema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "mode", "scopes"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: LIMITS.nameCharsMax },
    mode: { type: "string", enum: MODES },
    scopes: { type: "array", minItems: 1, uniqueItems: true, items: { type: "string", enum: SCOPES } },
    merchant_id: merchantIdSchema,
    expires_at: { type: "string", format: "iso-8601", description: "In the future." },
  },
} as const;

type NewApiKeyBody = FromSchema<typeof newApiKeySchema>;

const validator = createValidator<NewApiKeyBody>(newApiKeySchema);

/** Refuses a key that would already be expired. `nowMs` is in Unix milliseconds. */
export function parseNewApiKey(text: string, nowMs: number): Validated<NewApiKeyBody> {
  const parsed = validator.parse(text);
  if (!parsed.ok || parsed.value.expires_at === undefined) return parsed;
  if ((parseTimestamp(parsed.value.expires_at) ?? 0) > nowMs) return parsed;
  return { ok: false, issues: [{ path: "expires_at", code: "custom", message: "Must be in the future" }] };
}

/** KEY-10: POST /v1/api-keys/:id/rotate */
export const rotationSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    overlap_hours: {
      type: "integer",
      minimum: 0,
      maximum: LIMITS.keyOverlapHoursMax,
      description: `${LIMITS.keyOverlapHoursDefault} by default. The old key works so long; with 0 it ends at once.`,
    },
  },
} as const;

export const rotationValidator = createValidator<FromSchema<typeof rotationSchema>>(rotationSchema);
