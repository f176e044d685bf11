import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  DAY_HOURS,
  LEVELS,
  periodRuns,
  periodsOf,
  startHourOf,
} from "../../../../../src/path/writer/copy/facet-periods.js";

const HOUR_MS = 3_600_000;
const FIRST = Date.UTC(2023, 10, 20) / HOUR_MS;
const hour = fc.integer({ min: FIRST, max: FIRST + 24 * 500 });

describe("LOG-21: an interval in whole hours, days and months", () => {
  it("the runs hold each of its hours once, in order, with less than two days of hours and two months of days", () => {
    fc.assert(
      fc.property(hour, hour, fc.constantFrom(...LEVELS), (one, other, longest) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const runs = periodRuns(from, to, longest);
        let at = from;
        for (const run of runs) {
          const [first, end] = [run.first, run.end].map((number) =>
            startHourOf({ level: run.level, number }),
          ) as [number, number];
          assert.ok(LEVELS.indexOf(run.level) <= LEVELS.indexOf(longest));
          assert.equal(first, at);
          assert.ok(end > first);
          at = end;
        }
        assert.equal(at, to);
        const lengthOf = (level: string): number =>
          runs.filter((run) => run.level === level).reduce((sum, run) => sum + run.end - run.first, 0);
        if (longest !== "hour") assert.ok(lengthOf("hour") < 2 * DAY_HOURS);
        if (longest === "month") assert.ok(lengthOf("day") <= 2 * 31);
      }),
    );
  });

  it("an hour is in its own day and month", () => {
    fc.assert(
      fc.property(hour, (at) => {
        for (const { level, number } of periodsOf(at)) {
          assert.ok(
            startHourOf({ level, number }) <= at && at < startHourOf({ level, number: number + 1 }),
            level,
          );
        }
      }),
    );
  });
});
