import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { REVIEW_RESOLUTIONS } from "../../domain/vocabulary/vocabulary.js";
import { createValidator, type Validated } from "../../platform/wire/body-validator.js";

/** REV-1: POST /v1/decisions/:decisionId/review. Only a rejection may have a note. */
const reviewBodySchema = {
  type: "object",
  additionalProperties: false,
  required: ["resolution"],
  properties: {
    resolution: { type: "string", enum: REVIEW_RESOLUTIONS },
    note: { type: "string", maxLength: LIMITS.reviewNoteCharsMax },
  },
} as const;
/** The same schema, documented with what parseReviewBody also refuses. */
export const documentedReviewBody = {
  oneOf: [
    {
      ...reviewBodySchema,
      properties: { resolution: { const: "approve" } },
    },
    {
      ...reviewBodySchema,
      properties: { ...reviewBodySchema.properties, resolution: { const: "reject" } },
    },
  ],
} as const;
type ReviewBody = FromSchema<typeof reviewBodySchema>;

const validator = createValidator<ReviewBody>(reviewBodySchema);

export function parseReviewBody(text: string): Validated<ReviewBody> {
  const parsed = validator.parse(text);
  if (parsed.ok && parsed.value.resolution === "approve" && parsed.value.note !== undefined) {
    return { ok: false, issues: [{ path: "note", code: "unrecognized_keys", message: "Unrecognized key" }] };
  }
  return parsed;
}
