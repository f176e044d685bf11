import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const ANALYTICS_EXAMPLES: Examples = {
  getAnalyticsSummary: {
    "200": {
      range: "7d",
      mode: "live",
      since: "2026-11-13T18:13:49.882Z",
      total: 3,
      by_action: [
        { action: "route", count: 2 },
        { action: "hold", count: 1 },
      ],
      by_provider: [{ provider: "provider_1", count: 3 }],
      outcome_counts: [
        { outcome: "approved", count: 1 },
        { outcome: "soft_declined", count: 1 },
        { outcome: "blocked", count: 1 },
      ],
      with_outcome: 3,
      approved: 1,
      approval_rate: 0.3333333333333333,
      feedback_rate: 1,
      avg_latency_ms: 1.8133333333333332,
      p50_latency_ms: 1.67,
      p95_latency_ms: 3.01,
      p99_latency_ms: 3.01,
      series_interval: "day",
      series: [
        { start: "2026-11-13T00:00:00.000Z", total: 0, with_outcome: 0, approved: 0, approval_rate: null },
        { start: "2026-11-14T00:00:00.000Z", total: 0, with_outcome: 0, approved: 0, approval_rate: null },
      ],
      cost: {
        since: "2026-11-13T18:13:49.882Z",
        by_currency: [
          {
            currency: "USD",
            decision_mode: "enforce",
            decisions: 2,
            estimated_cost_minor: 358,
            saving_vs_most_expensive_minor: 121,
            first_offered_decisions: 2,
            saving_vs_first_offered_minor: 44,
          },
        ],
      },
      retries: {
        since: "2026-11-13T18:13:49.882Z",
        by_failure: [
          {
            provider: "provider_1",
            failure_class: "timeout",
            decisions: 1,
            with_outcome: 1,
            recovered: 1,
            recovery_rate: 1,
            same_provider: { with_outcome: 0, recovered: 0, recovery_rate: null },
            other_provider: { with_outcome: 1, recovered: 1, recovery_rate: 1 },
          },
        ],
      },
      generated_at: "2026-11-20T18:13:49.882Z",
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "query.mode", code: "invalid_enum_value", message: "Must be one of test, live" }],
    },
  },
};
