import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const PROVIDER_HEALTH_EXAMPLES: Examples = {
  listProviderHealth: {
    "200": {
      providers: [
        {
          provider: "provider_1",
          segment_key: "provider_1:card:USD",
          score: 97.05,
          state: "healthy",
          confidence: 93.73,
          p95_latency_ms: 376,
          timeout_rate: 0.002674,
          error_5xx_rate: 0,
          throttle_429_rate: 0,
          approval_rate: 0.923602,
          approval_rate_baseline: 0.9308,
          webhook_lag_seconds: 5,
          sample_size: 748,
          window_seconds: 300,
          reason_codes: ["PROVIDER_1_HEALTHY_FOR_SEGMENT"],
          updated_at: "2026-11-20T18:13:48.313Z",
        },
        {
          provider: "provider_1",
          segment_key: "provider_1:card:EUR",
          score: 98.89,
          state: "healthy",
          confidence: 93.72,
          p95_latency_ms: 361,
          timeout_rate: 0.002681,
          error_5xx_rate: 0,
          throttle_429_rate: 0,
          approval_rate: 0.956164,
          approval_rate_baseline: 0.954861,
          webhook_lag_seconds: 2,
          sample_size: 746,
          window_seconds: 300,
          reason_codes: ["PROVIDER_1_HEALTHY_FOR_SEGMENT"],
          updated_at: "2026-11-20T18:13:48.313Z",
        },
      ],
    },
  },
};
