import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HEALTH_LIMITS } from "../../../../src/domain/health/limits.js";
import { confidenceOf } from "../../../../src/domain/health/score.js";
import {
  expireSnapshot,
  restateSnapshot,
  type HealthSnapshot,
} from "../../../../src/domain/health/snapshot.js";
import { createHealthView, mergeOverlays, toWire } from "../../../../src/domain/health/view.js";
import type { HealthState } from "../../../../src/domain/vocabulary/vocabulary.js";
import { bySegment, CURRENCIES, defaultMonitor, START_MS } from "./segments.js";

const { snapshots } = defaultMonitor().warmUp(START_MS);
const card = snapshots.filter(({ segment_key }) => segment_key.startsWith("provider_1:card:"));

/** Returns the eight card segments of provider_1 in the given states. Each has a score that fits its state. */
function cardIn(states: readonly HealthState[], scores: readonly number[]): HealthSnapshot[] {
  return states.map((state, i) =>
    restateSnapshot(card[i] as HealthSnapshot, { state, score: scores[i] as number, source: "probe" }),
  );
}

function fallback(segments: readonly HealthSnapshot[]): HealthSnapshot {
  return createHealthView("1", segments).find("provider_1", "card", "ZAR");
}

describe("HealthView", () => {
  it("finds the exact segment, the overlay's first", () => {
    const overlay = restateSnapshot(card[0] as HealthSnapshot, {
      state: "watch",
      score: 71,
      source: "partial",
    });
    const view = createHealthView("v7", snapshots, [overlay]);
    assert.equal(view.version, "v7");
    assert.equal(view.find("provider_1", "card", "USD"), overlay);
    assert.equal(view.find("provider_1", "card", "EUR"), bySegment(snapshots, "provider_1:card:EUR"));
  });

  it("gives the identical object for identical arguments, fallbacks included", () => {
    const view = createHealthView("1", snapshots);
    for (const [provider, method, currency] of [
      ["provider_1", "card", "USD"],
      ["provider_1", "card", "ZAR"],
      ["provider_9", "card", "USD"],
    ] as const) {
      assert.equal(view.find(provider, method, currency), view.find(provider, method, currency));
    }
  });

  it("an overlay's own unprobed segment is found, and left out of other currencies' answers", () => {
    const zar: HealthSnapshot = {
      ...(card[0] as HealthSnapshot),
      segment_key: "provider_1:card:ZAR",
      source: "live",
      p95_latency_ms: 90_000,
    };
    const view = createHealthView("1", snapshots, [zar]);
    assert.equal(view.find("provider_1", "card", "ZAR"), zar);
    assert.equal(
      view.find("provider_1", "card", "SEK").p95_latency_ms,
      createHealthView("1", snapshots).find("provider_1", "card", "SEK").p95_latency_ms,
    );
  });

  it("HLTH-16: a provider or method nobody probes is unknown", () => {
    for (const [provider, method] of [
      ["provider_9", "card"],
      ["provider_1", "cheque"],
    ] as const) {
      const snapshot = createHealthView("1", snapshots).find(provider, method, "USD");
      assert.equal(snapshot.segment_key, `${provider}:${method}:USD`);
      assert.deepEqual(
        [snapshot.state, snapshot.source, snapshot.score, snapshot.confidence, snapshot.sample_size],
        ["unknown", "unknown", 50, 0, 0],
      );
      assert.deepEqual(snapshot.reason_codes, [`${provider.toUpperCase()}_HEALTH_UNKNOWN`]);
    }
    assert.equal(createHealthView("1", []).find("provider_1", "card", "USD").state, "unknown");
  });
});

describe("a currency that is not probed is answered by its provider and method", () => {
  it("HLTH-17: it gets the means of the probed currencies, with the confidence of one, and source partial", () => {
    const snapshot = fallback(snapshots);
    const mean = (value: (s: HealthSnapshot) => number): number =>
      card.reduce((sum, s) => sum + value(s), 0) / card.length;
    assert.equal(snapshot.segment_key, "provider_1:card:ZAR");
    assert.deepEqual([snapshot.source, snapshot.state], ["partial", "healthy"]);
    assert.deepEqual(snapshot.reason_codes, ["PROVIDER_1_HEALTHY_FOR_SEGMENT"]);
    assert.ok(Math.abs(snapshot.score - mean((s) => s.score)) < 0.1);
    assert.ok(Math.abs(snapshot.approval_rate - mean((s) => s.approval_rate)) < 0.001);
    assert.ok(Math.abs(snapshot.p95_latency_ms - mean((s) => s.p95_latency_ms)) < 5);
    assert.equal(snapshot.sample_size, Math.round(mean((s) => s.sample_size)));
    assert.equal(snapshot.confidence, confidenceOf(snapshot.sample_size));
    assert.equal(snapshot.updated_at, card[0]?.updated_at);
  });

  it("HLTH-17: it gets as many samples as the probed currencies have on average", () => {
    const withSamples = (...sizes: number[]): HealthSnapshot[] =>
      sizes.map((sample_size, i) => ({ ...(card[i] as HealthSnapshot), sample_size }));
    assert.equal(fallback(withSamples(40)).sample_size, 40);
    assert.equal(fallback(withSamples(40, 40)).sample_size, 40);
    assert.equal(fallback(withSamples(40, 60)).sample_size, 50);
  });

  it("weighs a starved segment less", () => {
    const [usual, starved] = [
      { ...(card[0] as HealthSnapshot), score: 98 },
      { ...(card[1] as HealthSnapshot), score: 88 },
    ];
    starved.sample_size = 20;
    const { score } = fallback([usual, starved]);
    const weight = confidenceOf(usual.sample_size) / (confidenceOf(usual.sample_size) + confidenceOf(20));
    assert.ok(Math.abs(score - (98 * weight + 88 * (1 - weight))) < 0.01);
  });

  const H = "healthy";
  const cases: [string, HealthState[], number[], HealthState][] = [
    [
      "one currency out of eight does not take out the rest",
      ["unavailable", H, H, H, H, H, H, H],
      [90, 99, 99, 99, 99, 99, 99, 99],
      "healthy",
    ],
    [
      "a circuit open in half of them counts, whatever the scores",
      ["unavailable", "unavailable", H, H],
      [95, 95, 95, 95],
      "unavailable",
    ],
    ["the mean score counts too", ["critical", H, H, H], [26, 86, 86, 86], "watch"],
    ["unknown ones are left out", ["unknown", "unknown", "unknown", H], [0, 0, 0, 97], "healthy"],
  ];
  for (const [name, states, scores, expected] of cases) {
    it(name, () => assert.equal(fallback(cardIn(states, scores)).state, expected));
  }

  it("it is unknown where all of them are unknown", () => {
    const snapshot = fallback(cardIn(["unknown", "unknown"], [50, 50]));
    assert.deepEqual([snapshot.state, snapshot.source], ["unknown", "unknown"]);
  });

  it("windows run dry by open circuits still answer, without NaN", () => {
    const dry = cardIn(["unavailable", "unavailable"], [100, 100]);
    for (const segment of dry) segment.sample_size = segment.confidence = 0;
    const snapshot = fallback(dry);
    assert.equal(snapshot.state, "unavailable");
    assert.ok(Object.values(snapshot).every((value) => typeof value !== "number" || Number.isFinite(value)));
  });
});

describe("the wire and the replica", () => {
  it("GET /v1/provider-health shows exactly the specification's fields", () => {
    assert.deepEqual(Object.keys(toWire(card[0] as HealthSnapshot)), [
      "provider",
      "segment_key",
      "score",
      "state",
      "confidence",
      "p95_latency_ms",
      "timeout_rate",
      "error_5xx_rate",
      "throttle_429_rate",
      "approval_rate",
      "approval_rate_baseline",
      "webhook_lag_seconds",
      "sample_size",
      "window_seconds",
      "reason_codes",
      "updated_at",
    ]);
  });

  it("lists each probed segment as the workspace sees it, then its own", () => {
    const usd = restateSnapshot(card[0] as HealthSnapshot, { state: "watch", score: 71, source: "partial" });
    const zar: HealthSnapshot = { ...usd, segment_key: "provider_1:card:ZAR" };
    const merged = mergeOverlays(card, [zar, usd]);
    assert.deepEqual(merged, [usd, ...card.slice(1), zar]);
    assert.equal(mergeOverlays(card, []), card);
    assert.equal(card.length, CURRENCIES.length);
  });

  it("HLTH-19: a reader treats a snapshot of 15 minutes ago as unknown, and keeps a pin", () => {
    const probed = card[0] as HealthSnapshot;
    assert.equal(expireSnapshot(probed, START_MS + HEALTH_LIMITS.staleMs - 1), probed);
    const stale = expireSnapshot(probed, START_MS + HEALTH_LIMITS.staleMs);
    assert.deepEqual([stale.state, stale.source, stale.score], ["unknown", "unknown", 50]);
    const pin = restateSnapshot(probed, { state: "critical", score: 35, source: "demo" });
    assert.equal(expireSnapshot(pin, START_MS + HEALTH_LIMITS.staleMs), pin);
  });
});
