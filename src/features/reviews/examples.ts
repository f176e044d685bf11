import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const REVIEW_EXAMPLES: Examples = {
  resolveReview: {
    request: { resolution: "reject", note: "The address is not real." },
    "200": {
      decision_id: "dec_01m7x2m8byhjqbhybnca7rrvg4",
      review: {
        resolution: "reject",
        note: "The address is not real.",
        resolved_by: "usr_01m7x2m642spb3bsttt123d9bd",
        resolved_at: "2026-11-20T18:13:47.559Z",
      },
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "note", code: "unrecognized_keys", message: "Unrecognized key" }],
    },
    "404": { statusCode: 404, message: "Decision not found", error: "Not Found" },
    "409": { statusCode: 409, message: "Decision is not an unresolved hold", error: "Conflict" },
  },
};
