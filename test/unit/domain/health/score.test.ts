import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  confidenceOf,
  healthScore,
  measuresOf,
  type HealthMeasures,
} from "../../../../src/domain/health/score.js";
import type { WindowSummary } from "../../../../src/domain/health/window.js";

const PERFECT: HealthMeasures = {
  timeoutRate: 0,
  error5xxRate: 0,
  throttle429Rate: 0,
  approvalRate: 0.9,
  approvalRateBaseline: 0.9,
  p95LatencyMs: 300,
  webhookLagSeconds: 0,
};

describe("score formula", () => {
  const cases: [string, Partial<HealthMeasures>, number][] = [
    ["nothing wrong", {}, 100],
    ["timeouts under the cap", { timeoutRate: 0.05 }, 80],
    ["HLTH-13: timeouts just under the cap", { timeoutRate: 0.0999 }, 60.04],
    ["HLTH-13: timeouts at the cap", { timeoutRate: 0.1 }, 60],
    ["timeouts over the cap", { timeoutRate: 1 }, 60],
    ["HLTH-13: 5xx under the cap", { error5xxRate: 0.05 }, 85],
    ["HLTH-13: 5xx at the cap", { error5xxRate: 0.1 }, 70],
    ["5xx over the cap", { error5xxRate: 0.5 }, 70],
    ["HLTH-13: 429 under the cap", { throttle429Rate: 0.05 }, 92.5],
    ["HLTH-13: 429 at the cap", { throttle429Rate: 0.1 }, 85],
    ["429 over the cap", { throttle429Rate: 0.3 }, 85],
    ["HLTH-13: approvals above the baseline earn nothing", { approvalRate: 0.99 }, 100],
    ["approvals 4 points down", { approvalRate: 0.86 }, 90],
    ["HLTH-13: approvals 10 points down, at the cap", { approvalRate: 0.8 }, 75],
    ["approvals gone", { approvalRate: 0 }, 75],
    ["p95 at 1500 ms", { p95LatencyMs: 1500 }, 100],
    ["HLTH-13: p95 at 1503 ms", { p95LatencyMs: 1503 }, 99.99],
    ["p95 at 1505 ms", { p95LatencyMs: 1505 }, 99.98],
    ["p95 at 3000 ms", { p95LatencyMs: 3000 }, 95],
    ["HLTH-13: p95 at 4500 ms, at the cap", { p95LatencyMs: 4500 }, 90],
    ["p95 at 60 s", { p95LatencyMs: 60_000 }, 90],
    ["HLTH-13: webhooks 60 s behind", { webhookLagSeconds: 60 }, 99],
    ["HLTH-13: webhooks 300 s behind, at the cap", { webhookLagSeconds: 300 }, 95],
    ["webhooks a day behind", { webhookLagSeconds: 86_400 }, 95],
    ["terms add up", { timeoutRate: 0.01, error5xxRate: 0.01, p95LatencyMs: 3000 }, 88],
    ["two decimals", { timeoutRate: 0.001234 }, 99.51],
    [
      "every cap at once is 125 points off, shown as 0",
      {
        timeoutRate: 1,
        error5xxRate: 1,
        throttle429Rate: 1,
        approvalRate: 0,
        p95LatencyMs: 9e4,
        webhookLagSeconds: 9e9,
      },
      0,
    ],
  ];
  for (const [name, measures, expected] of cases) {
    it(`${name}: ${expected}`, () => assert.equal(healthScore({ ...PERFECT, ...measures }), expected));
  }

  it("never rises when a measure gets worse", () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true });
    const measures = fc.record({
      timeoutRate: rate,
      error5xxRate: rate,
      throttle429Rate: rate,
      approvalRate: rate,
      approvalRateBaseline: rate,
      p95LatencyMs: fc.double({ min: 0, max: 1e5, noNaN: true }),
      webhookLagSeconds: fc.double({ min: 0, max: 1e5, noNaN: true }),
    });
    fc.assert(
      fc.property(measures, fc.double({ min: 1, max: 3, noNaN: true }), (before, factor) => {
        for (const term of [
          "timeoutRate",
          "error5xxRate",
          "throttle429Rate",
          "p95LatencyMs",
          "webhookLagSeconds",
        ] as const) {
          assert.ok(healthScore({ ...before, [term]: before[term] * factor }) <= healthScore(before), term);
        }
        assert.ok(
          healthScore({ ...before, approvalRate: before.approvalRate / factor }) <= healthScore(before),
        );
      }),
    );
  });
});

describe("RES-8: confidence = 100·n/(n + 50)", () => {
  for (const [samples, confidence] of [
    [0, 0],
    [1, 1.96],
    [20, 28.57],
    [50, 50],
    [750, 93.75],
    [1e9, 100],
  ] as const) {
    it(`HLTH-15: ${samples} samples: ${confidence}`, () => assert.equal(confidenceOf(samples), confidence));
  }
});

describe("measures of a window", () => {
  const summary: WindowSummary = {
    samples: 100,
    approvals: 72,
    softDeclines: 3,
    hardDeclines: 20,
    timeouts: 2,
    errors5xx: 2,
    throttled429: 1,
    p95LatencyMs: 812.6,
    lastSampleAtMs: 0,
  };

  it("HLTH-3, HLTH-14: approval_rate leaves hard declines out and nothing else", () => {
    assert.deepEqual(measuresOf(summary, 0.92, 12), {
      timeoutRate: 0.02,
      error5xxRate: 0.02,
      throttle429Rate: 0.01,
      approvalRate: 0.9,
      approvalRateBaseline: 0.92,
      p95LatencyMs: 813,
      webhookLagSeconds: 12,
    });
  });

  it("takes the baseline where no sample says anything about approvals", () => {
    const onlyHardDeclines = {
      ...summary,
      samples: 20,
      approvals: 0,
      softDeclines: 0,
      timeouts: 0,
      errors5xx: 0,
      throttled429: 0,
    };
    assert.equal(measuresOf(onlyHardDeclines, 0.92, 0).approvalRate, 0.92);
  });

  it("rounds rates to 6 decimals and never shows a negative lag", () => {
    const measures = measuresOf({ ...summary, samples: 300, timeouts: 1 }, 0.9, -3);
    assert.equal(measures.timeoutRate, 0.003333);
    assert.equal(measures.webhookLagSeconds, 0);
  });
});
