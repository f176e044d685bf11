import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const OVERRIDE_EXAMPLES: Examples = {
  overrideProvider: {
    request: { state: "unavailable", payment_method: "card", currency: "NGN" },
    "200": {
      provider: "provider_3",
      overrides: [{ state: "unavailable", score: 0, payment_method: "card", currency: "NGN" }],
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "state", code: "invalid_type", message: "Required" }],
    },
    "404": { statusCode: 404, message: "Provider not found", error: "Not Found" },
  },
};
