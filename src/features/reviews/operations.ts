import type { Operations } from "../../platform/wire/operation.js";
import { modeOfSession } from "../../platform/wire/parameters.js";
import { decisionInPath, NO_DECISION } from "../decisions/wire/decision-in-path.js";
import { reviewResolutionSchema } from "../decisions/wire/decision-log-schema.js";
import { documentedReviewBody, documentedReviewsBody } from "./wire/review-schema.js";
import { reviewResultsSchema } from "./wire/review-response-schema.js";

export const REVIEW_OPERATIONS: Operations = {
  "POST /v1/decisions/:decisionId/review": {
    operationId: "resolveReview",
    tag: "Decisions",
    summary: "Approve or reject a held decision",
    description: "A note goes with a rejection only. API keys cannot resolve reviews.",
    path: decisionInPath,
    query: { mode: modeOfSession },
    body: documentedReviewBody,
    answers: { 200: { description: "Resolved.", schema: reviewResolutionSchema } },
    refuses: {
      404: NO_DECISION,
      409: "Already reviewed, an outcome is already reported, not a hold, or a shadow decision.",
    },
  },
  "POST /v1/decisions/reviews": {
    operationId: "resolveReviews",
    tag: "Decisions",
    summary: "Approve or reject many held decisions",
    description:
      "Each decision has a result of its own: the review, or the error that `resolveReview` answers. All that can be resolved are stored in one transaction.",
    query: { mode: modeOfSession },
    body: documentedReviewsBody,
    answers: { 200: { description: "One result for each decision, in order.", schema: reviewResultsSchema } },
  },
};
