import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { REVIEW_RESOLUTIONS } from "../../../domain/vocabulary/vocabulary.js";
import { createValidator, type Validated } from "../../../platform/wire/body-validator.js";
import { decisionIdSchema } from "../../../platform/wire/scalars.js";

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

/** REV-9: POST /v1/decisions/reviews. */
const reviewsBodySchema = {
  ...reviewBodySchema,
  required: ["decision_ids", "resolution"],
  properties: {
    decision_ids: {
      type: "array",
      minItems: 1,
      maxItems: LIMITS.reviewsPerRequestMax,
      uniqueItems: true,
      items: decisionIdSchema,
    },
    ...reviewBodySchema.properties,
  },
} as const;

/**
 * The forms of `reviewBodySchema` and `reviewsBodySchema` in the API's document. Only these forms say that an approval
 * takes no note. `parseReviewBody` and `parseReviewsBody` check the same.
 */
export const documentedReviewBody = {
  oneOf: [
    { ...reviewBodySchema, properties: { resolution: { const: "approve" } } },
    {
      ...reviewBodySchema,
      properties: { ...reviewBodySchema.properties, resolution: { const: "reject" } },
    },
  ],
} as const;
export const documentedReviewsBody = {
  oneOf: [
    {
      ...reviewsBodySchema,
      properties: {
        decision_ids: reviewsBodySchema.properties.decision_ids,
        resolution: { const: "approve" },
      },
    },
    {
      ...reviewsBodySchema,
      properties: { ...reviewsBodySchema.properties, resolution: { const: "reject" } },
    },
  ],
} as const;

type ReviewBody = FromSchema<typeof reviewBodySchema>;
export type ReviewsBody = FromSchema<typeof reviewsBodySchema>;

const reviewValidator = createValidator<ReviewBody>(reviewBodySchema);
const reviewsValidator = createValidator<ReviewsBody>(reviewsBodySchema);

export const parseReviewBody = (text: string): Validated<ReviewBody> =>
  refusingNoteOfApproval(reviewValidator.parse(text));
export const parseReviewsBody = (text: string): Validated<ReviewsBody> =>
  refusingNoteOfApproval(reviewsValidator.parse(text));

function refusingNoteOfApproval<Body extends ReviewBody>(parsed: Validated<Body>): Validated<Body> {
  if (parsed.ok && parsed.value.resolution === "approve" && parsed.value.note !== undefined) {
    return { ok: false, issues: [{ path: "note", code: "unrecognized_keys", message: "Unrecognized key" }] };
  }
  return parsed;
}
