import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const OUTCOME_EXAMPLES: Examples = {
  reportOutcome: {
    request: {
      decision_id: "dec_01m7x2m7w5a2p8s96zpbd216by",
      order_id: "order_1001",
      provider_used: "provider_1",
      outcome: "approved",
      provider_latency_ms: 412,
      amount: 129900,
      currency: "USD",
    },
    "200": {
      outcome_id: "out_01m7x2m7w5a2p8s96zpbd216by",
      decision_id: "dec_01m7x2m7w5a2p8s96zpbd216by",
      outcome: "approved",
      failure_class: "none",
      technical_failure_type: null,
      approved: true,
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "amount", code: "too_small", message: "Must be at least 1" }],
    },
    "404": { statusCode: 404, message: "Decision not found", error: "Not Found" },
  },
};
