import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  INITIAL_HEALTH,
  shownState,
  stateOfScore,
  stateRank,
  step,
  type ScoredState,
  type SegmentHealth,
} from "../../../../src/domain/health/state-machine.js";
import type { HealthState } from "../../../../src/domain/vocabulary/vocabulary.js";

const QUIET = { samples: 25, technicalFailures: 0 };

function tick(
  health: SegmentHealth,
  score: number,
  nowMs = 0,
  samples = 750,
  lastSampleAtMs = nowMs,
): SegmentHealth {
  return step(health, { kind: "tick", score, samples, lastSampleAtMs, recent: QUIET }, nowMs);
}

function scored(state: ScoredState): SegmentHealth {
  return { kind: "scored", state, trend: null, backoff: null };
}

/** Returns the state shown after each tick. */
function walk(from: SegmentHealth, scores: readonly number[]): HealthState[] {
  let health = from;
  return scores.map((score) => {
    health = tick(health, score);
    return shownState(health);
  });
}

describe("HLTH-18, RES-8: state thresholds", () => {
  for (const [score, state] of [
    [100, "healthy"],
    [85, "healthy"],
    [84.99, "watch"],
    [70, "watch"],
    [69.99, "degraded"],
    [50, "degraded"],
    [49.99, "critical"],
    [25, "critical"],
    [24.99, "unavailable"],
    [0, "unavailable"],
  ] as const) {
    it(`HLTH-18: ${score} is ${state}, and so is the first state out of unknown`, () => {
      assert.equal(stateOfScore(score), state);
      assert.deepEqual(walk(INITIAL_HEALTH, [score]), [state]);
    });
  }
});

describe("unknown", () => {
  it("HLTH-18, HLTH-19: fewer than 20 samples are unknown, at once and from any state", () => {
    assert.equal(shownState(tick(INITIAL_HEALTH, 100, 0, 19)), "unknown");
    assert.equal(shownState(tick(INITIAL_HEALTH, 100, 0, 20)), "healthy");
    for (const state of ["healthy", "watch", "degraded", "critical", "unavailable"] as const) {
      assert.equal(shownState(tick(scored(state), 100, 0, 19)), "unknown");
    }
  });

  it("HLTH-19: 15 minutes without a sample are unknown, too", () => {
    assert.equal(shownState(tick(scored("healthy"), 100, 899_999, 750, 0)), "healthy");
    assert.equal(shownState(tick(scored("healthy"), 100, 900_000, 750, 0)), "unknown");
    assert.equal(shownState(tick(INITIAL_HEALTH, 100, 900_000, 750, 0)), "unknown");
  });

  it("a single sample never moves a score's state", () => {
    const sample = { kind: "sample", technicalFailure: true, recent: QUIET } as const;
    for (const health of [INITIAL_HEALTH, scored("healthy"), scored("critical")])
      assert.equal(step(health, sample, 0), health);
  });
});

describe("worsening needs 2 ticks in a row", () => {
  const cases: [string, ScoredState, number[], HealthState[]][] = [
    ["HLTH-20: two ticks under the threshold", "healthy", [84.99, 84.99], ["healthy", "watch"]],
    ["one tick under is forgiven", "healthy", [84, 85, 84, 85], ["healthy", "healthy", "healthy", "healthy"]],
    ["it may skip states", "healthy", [10, 10], ["healthy", "unavailable"]],
    [
      "to the best state both ticks are at or under",
      "healthy",
      [80, 30, 30],
      ["healthy", "watch", "critical"],
    ],
    ["whichever came first", "healthy", [30, 80, 30], ["healthy", "watch", "watch"]],
    [
      "the fall goes on tick by tick",
      "healthy",
      [80, 60, 30, 10, 10],
      ["healthy", "watch", "degraded", "critical", "unavailable"],
    ],
    [
      "an improving tick between starts over",
      "watch",
      [60, 95, 60, 60],
      ["watch", "watch", "watch", "degraded"],
    ],
  ];
  for (const [name, from, scores, shown] of cases) {
    it(name, () => assert.deepEqual(walk(scored(from), scores), shown));
  }
});

describe("improving needs the threshold +5 for 3 ticks, one step at a time", () => {
  const cases: [string, ScoredState, number[], HealthState[]][] = [
    ["HLTH-21: watch to healthy at 90", "watch", [90, 90, 90], ["watch", "watch", "healthy"]],
    ["89.99 is not enough", "watch", [89.99, 89.99, 89.99, 89.99], ["watch", "watch", "watch", "watch"]],
    ["degraded to watch at 75", "degraded", [75, 75, 75, 75], ["degraded", "degraded", "watch", "watch"]],
    [
      "critical to degraded at 55",
      "critical",
      [54.99, 55, 55, 55],
      ["critical", "critical", "critical", "degraded"],
    ],
    [
      "unavailable to critical at 30",
      "unavailable",
      [30, 30, 30],
      ["unavailable", "unavailable", "critical"],
    ],
    [
      "a tick short of the margin starts over",
      "watch",
      [95, 95, 89, 95, 95, 95],
      ["watch", "watch", "watch", "watch", "watch", "healthy"],
    ],
    [
      "each step takes its own three ticks",
      "degraded",
      [100, 100, 100, 100, 100, 100, 100],
      ["degraded", "degraded", "watch", "watch", "watch", "healthy", "healthy"],
    ],
  ];
  for (const [name, from, scores, shown] of cases) {
    it(name, () => assert.deepEqual(walk(scored(from), scores), shown));
  }
});

describe("hysteresis, for any scores", () => {
  const scores = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 200 });

  it("HLTH-21: improves one step at a time, and only after three ticks at the margin", () => {
    fc.assert(
      fc.property(scores, (series) => {
        let health = scored("degraded");
        for (const [i, score] of series.entries()) {
          const before = stateRank(shownState(health) as ScoredState);
          health = tick(health, score);
          const after = stateRank(shownState(health) as ScoredState);
          if (after >= before) continue;
          assert.equal(after, before - 1);
          const margin = ([85, 70, 50, 25][after] as number) + 5;
          assert.ok(i >= 2 && series.slice(i - 2, i + 1).every((s) => s >= margin));
        }
      }),
    );
  });

  it("HLTH-20: worsens only where the last two ticks were worse, and never past the better of them", () => {
    fc.assert(
      fc.property(scores, (series) => {
        let health = scored("healthy");
        for (const [i, score] of series.entries()) {
          const before = stateRank(shownState(health) as ScoredState);
          health = tick(health, score);
          const after = stateRank(shownState(health) as ScoredState);
          if (after <= before) continue;
          const lastTwo = series.slice(i - 1, i + 1).map((s) => stateRank(stateOfScore(s)));
          assert.equal(lastTwo.length, 2);
          assert.ok(Math.min(...lastTwo) >= after);
        }
      }),
    );
  });

  it("settles on the score's own state where the score is steady and clear of the margin", () => {
    fc.assert(
      fc.property(scores, fc.constantFrom(95, 78, 60, 35, 10), (series, steady) => {
        let health: SegmentHealth = scored("healthy");
        for (const score of [...series, ...Array<number>(15).fill(steady)]) health = tick(health, score);
        assert.equal(shownState(health), stateOfScore(steady));
      }),
    );
  });

  it("gives the same object back where nothing changed, and leaves its input alone", () => {
    const health = Object.freeze(scored("healthy"));
    assert.equal(tick(health, 99), health);
    tick(health, 10);
    assert.deepEqual(health, scored("healthy"));
  });
});
