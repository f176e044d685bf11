import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { segmentsOf } from "../../../../src/domain/decision/evaluation.js";
import { HEALTH_LIMITS } from "../../../../src/domain/health/limits.js";
import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import type { HealthMonitor } from "../../../../src/domain/health/monitor/monitor.js";
import type { HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import { createHealthView } from "../../../../src/domain/health/view.js";
import { liveOutcome, smallMonitor } from "./segments.js";

const START_MS = Date.UTC(2026, 10, 20, 9, 30);
/** Scores have two decimals, so two rounded scores can differ by a hundredth too much or too little. */
const ROUNDING = 0.011;
/** Confidence counts whole samples, so a segment with few samples shows the rounding. */
const WHOLE_SAMPLES = 0.25;

interface Seen {
  snapshot: HealthSnapshot;
  routeScore: number;
}

/** Returns what a decision of ws_a sees of provider_1 in a currency. */
function see(monitor: HealthMonitor, currency: string, nowMs: number): Seen {
  const { snapshots } = monitor.tick(nowMs);
  const view = createHealthView("view", snapshots, monitor.overlay("ws_a", "live"));
  const { snapshot, unlimitedScore, terms } = segmentsOf(view, "card", currency).of("provider_1");
  // The state of a degraded provider costs 15 points. It needs two ticks, so a single outcome does not cause it.
  return { snapshot, routeScore: unlimitedScore - (terms.at(-1) as number) };
}

const outcomeFields: fc.Arbitrary<Partial<LiveOutcomes>> = fc.record({
  outcome: fc.constantFrom(
    "approved",
    "approved",
    "soft_declined",
    "hard_declined",
    "timeout",
    "technical_failed",
    "rate_limited",
  ),
  blame: fc.constantFrom("provider", "customer", "issuer"),
  latencyMs: fc.constantFrom(40, 200, 900, 9000, 60_000),
});
/** Runs of equal outcomes with pauses between them. They make outages, waves and quiet hours. */
const history = fc.array(
  fc.record({
    fields: outcomeFields,
    repeat: fc.constantFrom(1, 2, 7, 30),
    // After 10 s every segment is judged again. News from the probes is therefore in the view before the outcome.
    pauseSeconds: fc.constantFrom(0, 10, 20, 400),
  }),
  { minLength: 1, maxLength: 12 },
);

type Step = { fields: Partial<LiveOutcomes>; before: Seen; after: Seen };

/** Yields every outcome of a history, with the view just before it and just after it. */
function live(
  steps: readonly { fields: Partial<LiveOutcomes>; repeat: number; pauseSeconds: number }[],
  currency: string,
  hasProbes: boolean,
  check: (step: Step) => void,
): void {
  const monitor = smallMonitor({ hasProbes });
  monitor.warmUp(START_MS);
  let nowMs = START_MS;
  for (const { fields, repeat, pauseSeconds } of steps) {
    nowMs += pauseSeconds * 1000;
    // The first tick judges what is usual, and what is overcome follows that at the second (HLTH-35).
    monitor.tick(nowMs);
    let before = see(monitor, currency, nowMs);
    for (let i = 0; i < repeat; i++) {
      monitor.recordOutcomes(liveOutcome(nowMs, { ...fields, currency }), nowMs);
      const after = see(monitor, currency, nowMs);
      check({ fields, before, after });
      before = after;
    }
  }
}

const TECHNICAL = new Set(["timeout", "technical_failed", "rate_limited"]);

/** Checks that an outcome moves no score by more than 2 points, and none in the wrong direction. */
function assertContinuous({ fields: { outcome = "approved" }, before, after }: Step): void {
  const health = after.snapshot.score - before.snapshot.score;
  const route = after.routeScore - before.routeScore;
  const known = before.snapshot.state !== "unknown" && after.snapshot.state !== "unknown";
  const tolerance = before.snapshot.sample_size < 100 ? WHOLE_SAMPLES : ROUNDING;
  assert.ok(Math.abs(route) <= 2 + ROUNDING, `${outcome} moved the route score by ${route}`);
  if (known) assert.ok(Math.abs(health) <= 2 + ROUNDING, `${outcome} moved the score by ${health}`);
  if (outcome === "approved") {
    assert.ok(route >= -tolerance, `an approval moved the route score by ${route}`);
    if (known) assert.ok(health >= -ROUNDING, `an approval moved the score by ${health}`);
  }
  if (TECHNICAL.has(outcome)) {
    assert.ok(route <= tolerance, `${outcome} moved the route score by ${route}`);
    if (known) assert.ok(health <= ROUNDING, `${outcome} moved the score by ${health}`);
  }
}

describe("HLTH-28: continuity", () => {
  for (const [title, currency, hasProbes] of [
    ["a probed currency", "USD", true],
    ["a currency that is not probed", "ZAR", true],
    ["a currency of a node without probes", "USD", false],
  ] as const) {
    it(`no outcome moves a score by more than 2 points or the wrong way: ${title}`, () => {
      fc.assert(
        fc.property(history, (steps) => live(steps, currency, hasProbes, assertContinuous)),
        { numRuns: 100 },
      );
    });
  }
});

/** Returns ws_a's view of provider_1 for cards in a currency, after outcomes in sequence. */
function after(
  outcomes: readonly Partial<LiveOutcomes>[],
  { currency = "USD", secondsApart = 0, hasProbes = true } = {},
): Seen {
  const monitor = smallMonitor({ hasProbes });
  monitor.warmUp(START_MS);
  let nowMs = START_MS;
  for (const fields of outcomes) {
    nowMs += secondsApart * 1000;
    monitor.recordOutcomes(liveOutcome(nowMs, { ...fields, currency }), nowMs);
    for (let second = 0; second < secondsApart; second++) monitor.tick(nowMs + second * 1000);
  }
  monitor.tick(nowMs + 1000);
  return see(monitor, currency, nowMs + 2000);
}
const times = (count: number, fields: Partial<LiveOutcomes>): Partial<LiveOutcomes>[] =>
  Array.from({ length: count }, () => fields);
const FAILED = { outcome: "technical_failed", technicalFailureType: "5xx" } as const;
const DECLINED = { outcome: "soft_declined" } as const;

describe("HLTH-28: a segment that becomes known", () => {
  it("shows its first score in place of the placeholder, and its route score goes on", () => {
    const approvals = times(HEALTH_LIMITS.classifySamplesMin - 1, {});
    const before = after(approvals, { hasProbes: false });
    assert.deepEqual([before.snapshot.state, before.snapshot.score], ["unknown", 50]);
    const known = after([...approvals, FAILED], { hasProbes: false });
    assert.notEqual(known.snapshot.state, "unknown");
    assert.ok(known.snapshot.score > 90, `${known.snapshot.score}`);
    const moved = known.routeScore - before.routeScore;
    assert.ok(moved <= WHOLE_SAMPLES && moved >= -2 - ROUNDING, `${moved}`);
  });
});

describe("HLTH-29: outcomes are not diluted by probes", () => {
  it("36 of 36 answered 5xx, six a minute, make the provider one that routing leaves", () => {
    const { snapshot } = after(times(36, FAILED), { secondsApart: 10 });
    assert.ok(["degraded", "critical", "unavailable"].includes(snapshot.state), snapshot.state);
    assert.ok(snapshot.error_5xx_rate > 0.3);
  });

  it("150 of 150 declined cost the provider more than any other difference between providers", () => {
    const healthy = after([]);
    const declined = after(times(150, DECLINED));
    assert.ok(declined.snapshot.approval_rate < 0.25, `${declined.snapshot.approval_rate}`);
    assert.ok(declined.routeScore < healthy.routeScore - 20);
    assert.ok(declined.snapshot.score <= 85 && declined.snapshot.state !== "healthy");
  });

  it("a rate is that of the outcomes and of 50 more at the probes' rate", () => {
    const before = after([]).snapshot;
    const { snapshot } = after(times(30, DECLINED));
    const failing = before.timeout_rate + before.error_5xx_rate + before.throttle_429_rate;
    const answered = before.approval_rate / (1 - failing);
    const remains = 1 - (50 * failing) / 80;
    assert.ok(Math.abs(snapshot.approval_rate - (50 * answered * remains) / 80) < 0.001);
  });

  it("in a currency that is not probed, the 20th approval moves nothing away", () => {
    const scores = [0, 1, 19, 20, 21, 60].map(
      (count) => after(times(count, {}), { currency: "ZAR" }).routeScore,
    );
    for (const [at, score] of scores.entries()) assert.ok(score >= (scores[at - 1] ?? 0), scores.join(" "));
  });
});

describe("HLTH-30: blame", () => {
  for (const [title, fields] of [
    ["what the customer did", { ...DECLINED, blame: "customer" }],
    ["what the issuer did", { ...DECLINED, blame: "issuer" }],
    ["a hard decline", { outcome: "hard_declined" }],
  ] as const) {
    it(`${title} never counts against a provider`, () => {
      const untouched = after(times(1, {}));
      const blamed = after([...times(1, {}), ...times(200, fields)]);
      assert.ok(blamed.routeScore >= untouched.routeScore);
      assert.equal(blamed.snapshot.state, "healthy");
      assert.equal(blamed.snapshot.approval_rate >= untouched.snapshot.approval_rate, true);
    });
  }
});

describe("HLTH-31: a segment's own normal", () => {
  it("a merchant whose customers are approved less often does not count against the provider forever", () => {
    const monitor = smallMonitor();
    monitor.warmUp(START_MS);
    let nowMs = START_MS;
    for (let hour = 0; hour < 24 * 14; hour++) {
      nowMs += 3_600_000;
      monitor.recordOutcomes(liveOutcome(nowMs, { count: 80 }), nowMs);
      monitor.recordOutcomes(liveOutcome(nowMs, { ...DECLINED, count: 20 }), nowMs);
      monitor.tick(nowMs);
    }
    for (let second = 1; second <= 20; second++) monitor.tick(nowMs + second * 1000);
    const { snapshot } = see(monitor, "USD", nowMs + 30_000);
    assert.ok(Math.abs(snapshot.approval_rate_baseline - 0.8) < 0.01, `${snapshot.approval_rate_baseline}`);
    assert.equal(snapshot.state, "healthy");
    monitor.recordOutcomes(liveOutcome(nowMs + 30_000, { ...DECLINED, count: 400 }), nowMs + 30_000);
    monitor.tick(nowMs + 31_000);
    assert.ok(see(monitor, "USD", nowMs + 32_000).snapshot.score < 90, "a fall below its normal counts");
  });
});
