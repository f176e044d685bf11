import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { snapshotReasonCodes } from "../../../../src/domain/health/reason-codes.js";
import type { HealthMeasures } from "../../../../src/domain/health/score.js";
import type { HealthState } from "../../../../src/domain/vocabulary/vocabulary.js";

const PERFECT: HealthMeasures = {
  timeoutRate: 0,
  error5xxRate: 0,
  throttle429Rate: 0,
  approvalRate: 0.9,
  approvalRateBaseline: 0.9,
  p95LatencyMs: 300,
  webhookLagSeconds: 0,
};

describe("CODE-1, ELIG-2, FMT-6: Reason code categories, provider health", () => {
  const cases: [HealthState, Partial<HealthMeasures>, string[]][] = [
    ["healthy", {}, ["PROVIDER_1_HEALTHY_FOR_SEGMENT"]],
    ["healthy", { timeoutRate: 0.012 }, ["PROVIDER_1_HEALTHY_FOR_SEGMENT"]],
    [
      "healthy",
      { timeoutRate: 0.0125 },
      ["PROVIDER_1_HEALTHY_FOR_SEGMENT", "PROVIDER_1_TIMEOUT_RATE_ELEVATED"],
    ],
    ["watch", { timeoutRate: 0.05 }, ["PROVIDER_1_TIMEOUT_RATE_ELEVATED"]],
    ["watch", { error5xxRate: 0.08 }, ["PROVIDER_1_ERROR_5XX_RATE_ELEVATED"]],
    ["watch", { throttle429Rate: 0.1 }, ["PROVIDER_1_THROTTLE_429_RATE_ELEVATED"]],
    ["watch", { approvalRate: 0.8 }, ["PROVIDER_1_APPROVAL_RATE_BELOW_BASELINE"]],
    ["watch", { p95LatencyMs: 4500 }, ["PROVIDER_1_LATENCY_ELEVATED"]],
    ["watch", { webhookLagSeconds: 300 }, ["PROVIDER_1_WEBHOOK_LAG_ELEVATED"]],
    ["watch", {}, ["PROVIDER_1_RECOVERING"]],
    [
      "watch",
      { timeoutRate: 0.012, error5xxRate: 0.012, throttle429Rate: 0.03, approvalRate: 0.885 },
      ["PROVIDER_1_TIMEOUT_RATE_ELEVATED"],
    ],
    [
      "critical",
      { timeoutRate: 0.2, error5xxRate: 0.1 },
      ["HEALTH_CRITICAL", "PROVIDER_1_TIMEOUT_RATE_ELEVATED", "PROVIDER_1_ERROR_5XX_RATE_ELEVATED"],
    ],
    ["unavailable", {}, ["CIRCUIT_OPEN"]],
    ["unavailable", { error5xxRate: 1 }, ["CIRCUIT_OPEN", "PROVIDER_1_ERROR_5XX_RATE_ELEVATED"]],
    ["unknown", { timeoutRate: 1 }, ["PROVIDER_1_HEALTH_UNKNOWN"]],
  ];
  for (const [state, measures, codes] of cases) {
    it(`${state} with ${JSON.stringify(measures)}: ${codes.join(", ")}`, () => {
      assert.deepEqual(snapshotReasonCodes("provider_1", state, { ...PERFECT, ...measures }), codes);
    });
  }

  it("FMT-6: takes the upper-cased provider id, and is UPPER_SNAKE", () => {
    for (const code of snapshotReasonCodes("adyen_eu", "watch", { ...PERFECT, timeoutRate: 0.5 })) {
      assert.match(code, /^ADYEN_EU_[A-Z0-9_]+$/);
    }
  });
});
