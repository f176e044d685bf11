import { LIMITS } from "../shared/limits.js";
import { REVIEW_RESOLUTIONS, type ReviewResolution } from "../shared/vocabulary.js";
import { createValidator, type Validated } from "./body-validator.js";

/** spec POST /v1/decisions/:decisionId/review: a note goes with a rejection only. */
export interface ReviewBody {
  resolution: ReviewResolution;
  note?: string;
}

const validator = createValidator<ReviewBody>({
  type: "object",
  additionalProperties: false,
  required: ["resolution"],
  properties: {
    resolution: { type: "string", enum: REVIEW_RESOLUTIONS },
    note: { type: "string", maxLength: LIMITS.reviewNoteCharsMax },
  },
});

export function parseReviewBody(text: string): Validated<ReviewBody> {
  const parsed = validator.parse(text);
  if (parsed.ok && parsed.value.resolution === "approve" && parsed.value.note !== undefined) {
    return { ok: false, issues: [{ path: "note", code: "unrecognized_keys", message: "Unrecognized key" }] };
  }
  return parsed;
}
