import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  LATENCY_MS_MAX,
  latencyBin,
  latencyQuantile,
  LATENCY_BINS,
} from "../../../../src/domain/statistics/latency-histogram.js";
import { healthScore, measuresOf } from "../../../../src/domain/health/score.js";
import { SAMPLE_KINDS, SegmentWindow } from "../../../../src/domain/health/window.js";

const T0 = Date.UTC(2026, 10, 20);

function samplesAt(window: SegmentWindow, nowMs: number): number {
  window.advance(nowMs);
  return window.samples;
}

describe("sliding window 300 s in 10 s buckets", () => {
  it("counts every kind of sample in its own column", () => {
    const window = new SegmentWindow();
    for (const [times, kind] of SAMPLE_KINDS.entries()) {
      for (let i = 0; i <= times; i++) window.add(T0 + i, kind, 100);
    }
    const { p95LatencyMs, ...counts } = SegmentWindow.summarize([window]);
    assert.deepEqual(counts, {
      samples: 21,
      approvals: 1,
      softDeclines: 2,
      hardDeclines: 3,
      timeouts: 4,
      errors5xx: 5,
      throttled429: 6,
      lastSampleAtMs: T0 + 5,
    });
    assert.ok(Math.abs(p95LatencyMs - 100) < 5);
  });

  for (const { name, sampleAt, lastKeptAt } of [
    { name: "first millisecond of a bucket", sampleAt: T0, lastKeptAt: T0 + 299_999 },
    { name: "last millisecond of a bucket", sampleAt: T0 + 9_999, lastKeptAt: T0 + 299_999 },
    { name: "first millisecond of the next bucket", sampleAt: T0 + 10_000, lastKeptAt: T0 + 309_999 },
  ]) {
    it(`HLTH-12: a sample in the ${name} expires with its bucket`, () => {
      const window = new SegmentWindow();
      window.add(sampleAt, "approved", 100);
      assert.equal(samplesAt(window, lastKeptAt), 1);
      assert.equal(samplesAt(window, lastKeptAt + 1), 0);
      assert.equal(SegmentWindow.summarize([window]).p95LatencyMs, 0);
    });
  }

  it("takes late samples while their bucket is in the window, and no later", () => {
    const window = new SegmentWindow();
    window.advance(T0 + 300_000);
    assert.equal(window.add(T0 + 9_999, "approved", 1), false);
    assert.equal(window.add(T0 + 10_000, "approved", 1), true);
    assert.equal(window.samples, 1);
  });

  it("a gap longer than the window leaves nothing behind", () => {
    const window = new SegmentWindow();
    for (let i = 0; i < 30; i++) window.add(T0 + i * 10_000, "timeout", 10_000);
    assert.equal(samplesAt(window, T0 + 10 ** 9), 0);
    window.add(T0 + 10 ** 9, "approved", 50);
    const summary = SegmentWindow.summarize([window]);
    assert.deepEqual([summary.samples, summary.timeouts, summary.approvals], [1, 0, 1]);
  });

  it("adds windows up", () => {
    const [a, b] = [new SegmentWindow(), new SegmentWindow()];
    a.add(T0, "approved", 10);
    b.add(T0 + 5, "timeout", 1000);
    const sum = SegmentWindow.summarize([a, b]);
    assert.deepEqual([sum.samples, sum.approvals, sum.timeouts, sum.lastSampleAtMs], [2, 1, 1, T0 + 5]);
    assert.ok(Math.abs(sum.p95LatencyMs / 1000 - 1) < 0.05);
  });

  it("agrees with counting a plain list of samples, for any samples", () => {
    const sample = fc.record({
      gapMs: fc.integer({ min: -20_000, max: 40_000 }),
      kind: fc.constantFrom(...SAMPLE_KINDS),
      latencyMs: fc.double({ min: 0, max: 200_000, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 120 }), (samples) => {
        const window = new SegmentWindow();
        const kept: { bucket: number; kind: string }[] = [];
        let newest = -Infinity;
        let atMs = T0;
        for (const { gapMs, kind, latencyMs } of samples) {
          atMs += gapMs;
          const bucket = Math.floor(atMs / 10_000);
          newest = Math.max(newest, bucket);
          const inside = bucket > newest - 30;
          assert.equal(window.add(atMs, kind, latencyMs), inside);
          if (inside) kept.push({ bucket, kind });
        }
        const inWindow = kept.filter(({ bucket }) => bucket > newest - 30);
        const summary = SegmentWindow.summarize([window]);
        assert.equal(summary.samples, inWindow.length);
        assert.equal(summary.timeouts, inWindow.filter(({ kind }) => kind === "timeout").length);
        assert.equal(summary.approvals, inWindow.filter(({ kind }) => kind === "approved").length);
      }),
    );
  });

  it("never gives NaN, nor a score outside 0..100, for any content", () => {
    const counts = fc.array(fc.tuple(fc.constantFrom(...SAMPLE_KINDS), fc.integer({ min: 0, max: 60 })), {
      maxLength: 8,
    });
    const rate = fc.double({ min: 0, max: 1, noNaN: true });
    const lag = fc.double({ min: -10, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(
        counts,
        rate,
        lag,
        fc.double({ min: 0, max: 1e12, noNaN: true }),
        (content, baseline, lagS, ms) => {
          const window = new SegmentWindow();
          for (const [kind, times] of content) for (let i = 0; i < times; i++) window.add(T0, kind, ms);
          const measures = measuresOf(SegmentWindow.summarize([window]), baseline, lagS);
          for (const [name, value] of Object.entries(measures)) assert.ok(Number.isFinite(value), name);
          const score = healthScore(measures);
          assert.ok(score >= 0 && score <= 100, String(score));
        },
      ),
    );
  });
});

describe("latency distribution", () => {
  it("keeps a quantile within 4.7 % of the sample at that rank", () => {
    const latencies = fc.array(fc.double({ min: 1, max: LATENCY_MS_MAX, noNaN: true }), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(latencies, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, quantile) => {
        const counts = new Uint32Array(LATENCY_BINS);
        for (const value of values) (counts[latencyBin(value)] as number)++;
        const exact = values.toSorted((a, b) => a - b)[Math.ceil(quantile * values.length) - 1] as number;
        const ratio = latencyQuantile([counts], quantile) / exact;
        assert.ok(ratio > 1 / 1.0471 && ratio < 1.0471, `${ratio}`);
      }),
    );
  });

  for (const [latencyMs, bin] of [
    [0, 0],
    [1, 0],
    [LATENCY_MS_MAX - 1, LATENCY_BINS - 2],
    [LATENCY_MS_MAX, LATENCY_BINS - 1],
    [Number.MAX_SAFE_INTEGER, LATENCY_BINS - 1],
  ] as const) {
    it(`${latencyMs} ms goes to bin ${bin}`, () => assert.equal(latencyBin(latencyMs), bin));
  }

  it("is 0 without samples", () => assert.equal(latencyQuantile([new Uint32Array(LATENCY_BINS)], 0.95), 0));
});
