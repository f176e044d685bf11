import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";
import {
  attemptTimesMs,
  hasAttempt,
  NO_ATTEMPTS_YET,
  withAttempt,
} from "../../../../src/path/attempts/attempt-list.js";

const WINDOW_MS = LIMITS.retryAttemptsWindowSeconds * 1000;
const NOW_MS = Date.UTC(2026, 10, 26);

/** The id of a decision at that time. `nth` distinguishes those of the same millisecond. */
function idAt(timeMs: number, nth = 0): Buffer {
  const id = Buffer.alloc(16);
  id.writeUIntBE(timeMs, 0, 6);
  id.writeUInt32BE(nth, 12);
  return id;
}

const listOf = (ids: readonly Buffer[]): Buffer => ids.reduce(withAttempt, NO_ATTEMPTS_YET);

describe("the attempts of an order", () => {
  it("RTRY-14: attempts of one millisecond count each, and one that comes twice counts once", () => {
    const list = listOf([idAt(NOW_MS, 1), idAt(NOW_MS, 2), idAt(NOW_MS, 1)]);
    assert.deepEqual(attemptTimesMs(list), [NOW_MS, NOW_MS]);
    assert.equal(withAttempt(list, idAt(NOW_MS, 2)), list);
    assert.ok(hasAttempt(list, idAt(NOW_MS, 1)) && !hasAttempt(list, idAt(NOW_MS, 3)));
  });

  it("RTRY-15: an attempt exactly 30 days older than the newest is dropped", () => {
    const list = listOf([idAt(NOW_MS - WINDOW_MS), idAt(NOW_MS - WINDOW_MS + 1), idAt(NOW_MS)]);
    assert.deepEqual(attemptTimesMs(list), [NOW_MS - WINDOW_MS + 1, NOW_MS]);
  });

  it("RTRY-15: the newest 35 stay, in any order of arrival", () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(ids, (ages) => {
        const made = ages.map((age) => idAt(NOW_MS - age, age));
        const list = listOf(made);
        const expected = made.map((id) => id.readUIntBE(0, 6)).toSorted((a, b) => a - b);
        assert.deepEqual(attemptTimesMs(list), expected.slice(-LIMITS.retryAttemptsMax));
        assert.deepEqual(listOf(made.toReversed()), list);
      }),
    );
  });
});
