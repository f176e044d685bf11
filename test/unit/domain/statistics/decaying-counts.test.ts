import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { DecayingCounts } from "../../../../src/domain/statistics/decaying-counts.js";

const HALF_LIFE_MS = 1000;
const event = fc.record({ atMs: fc.integer({ min: 0, max: 20_000 }), count: fc.integer({ min: 1, max: 9 }) });
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, expected), `${actual}, not ${expected}`);

describe("HLTH-31: counts that fade", () => {
  it("an event counts half after each half-life, in any order of arrival", () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 30 }),
        fc.integer({ min: 20_000, max: 40_000 }),
        (events, nowMs) => {
          const counts = new DecayingCounts(1, HALF_LIFE_MS);
          for (const { atMs, count } of events) counts.add(0, count * counts.weightAt(atMs));
          counts.advance(nowMs);
          const expected = events.reduce(
            (sum, { atMs, count }) => sum + count * 0.5 ** ((nowMs - atMs) / HALF_LIFE_MS),
            0,
          );
          near(counts.of(0), expected);
        },
      ),
    );
  });

  it("keeps its columns separate, and fades to nothing", () => {
    const counts = new DecayingCounts(2, HALF_LIFE_MS);
    counts.add(1, 4 * counts.weightAt(0));
    counts.advance(HALF_LIFE_MS);
    assert.deepEqual([counts.of(0), counts.of(1)], [0, 2]);
    counts.clear();
    assert.equal(counts.of(1), 0);
  });

  it("is the same after a restart, and so before its first event", () => {
    for (const events of [[], [{ atMs: 700, count: 3 }]]) {
      const [before, restored] = [new DecayingCounts(2, HALF_LIFE_MS), new DecayingCounts(2, HALF_LIFE_MS)];
      for (const { atMs, count } of events) before.add(0, count * before.weightAt(atMs));
      restored.restore(JSON.parse(JSON.stringify(before)) as number[]);
      for (const counts of [before, restored]) {
        counts.add(1, counts.weightAt(900));
        counts.advance(2000);
      }
      assert.deepEqual([restored.of(0), restored.of(1)], [before.of(0), before.of(1)]);
    }
  });
});
