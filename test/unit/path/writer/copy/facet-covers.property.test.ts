import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { fewestRuns, shareRuns, type CountedRun } from "../../../../../src/path/writer/copy/facet-covers.js";
import { DAY_HOURS, startHourOf } from "../../../../../src/path/writer/copy/facet-periods.js";

const FIRST = Date.UTC(2023, 10, 20) / 3_600_000;
const HOURS = DAY_HOURS * 200;
const hour = fc.integer({ min: FIRST, max: FIRST + HOURS });
const interval = fc
  .tuple(hour, hour)
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);

/** How many times the runs count each hour around the intervals. */
function timesOf(runs: readonly CountedRun[]): number[] {
  const first = FIRST - 40 * DAY_HOURS;
  const times = Array.from({ length: HOURS + 80 * DAY_HOURS }, () => 0);
  for (const { level, first: from, end, times: number } of runs) {
    const [start, past] = [from, end].map((at) => startHourOf({ level, number: at }) - first) as [
      number,
      number,
    ];
    for (let at = start; at < past; at++) times[at] = (times[at] as number) + number;
  }
  return times;
}

const lengthOf = (runs: readonly CountedRun[], level: string): number =>
  runs.filter((run) => run.level === level).reduce((sum, { first, end }) => sum + end - first, 0);

describe("LOG-21: an interval in the fewest periods", () => {
  it("counts each of its hours once and no other, with a day of hours and a month of days at most", () => {
    fc.assert(
      fc.property(interval, ([from, to]) => {
        const runs = fewestRuns(from, to);
        const first = FIRST - 40 * DAY_HOURS;
        for (const [at, times] of timesOf(runs).entries()) {
          assert.equal(times, first + at >= from && first + at < to ? 1 : 0, String(first + at));
        }
        assert.ok(lengthOf(runs, "hour") <= DAY_HOURS);
        assert.ok(lengthOf(runs, "day") <= 31);
      }),
    );
  });

  it("a day but for its first two hours is the day and these hours", () => {
    const day = Math.ceil(FIRST / DAY_HOURS) + 3;
    assert.deepEqual(fewestRuns(day * DAY_HOURS + 2, (day + 1) * DAY_HOURS), [
      { level: "hour", first: day * DAY_HOURS, end: day * DAY_HOURS + 2, times: -1 },
      { level: "day", first: day, end: day + 1, times: 1 },
    ]);
  });

  it("several intervals share runs that do not overlap, each as often as in its own", () => {
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1, maxLength: 3 }), (intervals) => {
        const covers = intervals.map(([from, to]) => fewestRuns(from, to));
        const shared = shareRuns(covers);
        for (const [at, cover] of covers.entries()) {
          const own = shared.map(({ times, ...run }) => ({ ...run, times: times[at] as number }));
          assert.deepEqual(timesOf(own), timesOf(cover));
        }
        for (const [at, run] of shared.entries()) {
          const next = shared[at + 1];
          assert.ok(next?.level !== run.level || next.first >= run.end);
        }
      }),
      { numRuns: 30 },
    );
  });
});
