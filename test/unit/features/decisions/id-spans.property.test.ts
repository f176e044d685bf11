import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { END_MS, nearestHours } from "../../../../src/features/decisions/queries/id-spans.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 10, 17, 12);
/** Moments of a few hours, on their boundaries and beside them. */
const moment = fc
  .record({ minutes: fc.nat({ max: 240 }), beside: fc.constantFrom(-1, 0, 1) })
  .map(({ minutes, beside }) => START_MS + minutes * MINUTE_MS + beside);
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 12), 16);

describe("an interval as whole hours and single rows", () => {
  it("counts each millisecond once, reads half an hour of rows at each end, and no row that is hidden", () => {
    fc.assert(
      fc.property(moment, moment, moment, (one, other, firstReadableMs) => {
        const [sinceMs, untilMs] = [Math.min(one, other), Math.max(one, other) + 1];
        const { firstHour, endHour, cut } = nearestHours(sinceMs, untilMs, firstReadableMs);
        const edges = [sinceMs, untilMs, firstHour * HOUR_MS, endHour * HOUR_MS].concat(
          cut.flatMap(({ low, high }) => [timeOf(low), timeOf(high)]),
        );
        for (const at of edges.flatMap((edge) => [edge - 1, edge])) {
          const whole = at >= firstHour * HOUR_MS && at < endHour * HOUR_MS ? 1 : 0;
          const rows = cut.filter(({ low, high }) => at >= timeOf(low) && at < timeOf(high));
          const times = rows.reduce((sum, span) => sum + span.times, whole);
          assert.equal(times, at >= sinceMs && at < untilMs ? 1 : 0, String(at - START_MS));
        }
        const lengths = cut.map(({ low, high }) => timeOf(high) - timeOf(low));
        assert.ok(lengths.every((length) => length > 0));
        for (const { low, times } of cut) {
          if (times === 1) continue;
          assert.ok(timeOf(low) >= firstReadableMs, "only rows that are shown are subtracted");
          const hourMs = timeOf(low) - (timeOf(low) % HOUR_MS);
          assert.ok(
            Math.max(hourMs, sinceMs) >= firstReadableMs,
            "RET-5: a whole hour hides none of its rows",
          );
        }
        if (firstReadableMs < sinceMs - HOUR_MS) {
          assert.ok(lengths.reduce((sum, length) => sum + length, 0) <= HOUR_MS);
          assert.ok(lengths.every((length) => length <= HOUR_MS / 2));
        }
      }),
    );
  });

  it("an interval without an end has no rows there", () => {
    const sinceMs = START_MS + 50 * MINUTE_MS;
    const { endHour, cut } = nearestHours(sinceMs, END_MS, 0);
    assert.ok(endHour * HOUR_MS >= END_MS);
    assert.deepEqual(
      cut.map(({ low, high, times }) => [timeOf(low), timeOf(high), times]),
      [[sinceMs, START_MS + HOUR_MS, 1]],
    );
  });
});
