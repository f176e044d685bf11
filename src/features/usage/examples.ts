import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const USAGE_EXAMPLES: Examples = {
  getUsage: {
    "200": {
      usage: [
        { month: "2026-11", mode: "live", merchant_id: "demo_merchant", decisions: 2, shadow_decisions: 1 },
      ],
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "query.from", code: "invalid_string", message: "Expected YYYY-MM" }],
    },
  },
};
