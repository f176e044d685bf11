import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { Answered } from "../../../platform/wire/answered.js";
import { plainErrorSchema } from "../../../platform/wire/error-schema.js";
import { decisionIdSchema, NULL } from "../../../platform/wire/scalars.js";
import { reviewSchema } from "../../decisions/wire/decision-log-schema.js";

/** REV-10: one result for each decision, in the order of the request. */
export const reviewResultsSchema = {
  type: "object",
  additionalProperties: false,
  required: ["results"],
  properties: {
    results: {
      type: "array",
      maxItems: LIMITS.reviewsPerRequestMax,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["decision_id", "review", "error"],
        properties: {
          decision_id: decisionIdSchema,
          review: { anyOf: [reviewSchema, NULL] },
          error: {
            anyOf: [plainErrorSchema, NULL],
            description: "The error that a review of this decision alone would get. Null if it is resolved.",
          },
        },
      },
    },
  },
} as const;

export type ReviewResultsBody = Answered<typeof reviewResultsSchema>;
