import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  stepCalendar,
  stepsBetween,
  strayHours,
} from "../../../../src/features/analytics/steps/step-calendar.js";
import { isTimeZone } from "../../../../src/features/analytics/steps/zone-clock.js";

const HOUR_MS = 3_600_000;
const hourOf = (iso: string): number => Date.parse(iso) / HOUR_MS;
const timeOf = (hour: number): string => new Date(hour * HOUR_MS).toISOString().slice(0, 16);

/** Returns the starts of a zone's days or months in an interval. */
function startsIn(level: "day" | "month", zone: string, from: string, to: string): string[] {
  return stepsBetween(stepCalendar(level, zone), hourOf(from), hourOf(to)).map(timeOf);
}

describe("ANA-14: days and months of a zone", () => {
  for (const [zone, change, from, hours] of [
    ["Europe/Berlin", "forward", "2026-03-28T12:00Z", [24, 23, 24]],
    ["Europe/Berlin", "back", "2026-10-24T12:00Z", [24, 25, 24]],
    ["America/New_York", "forward", "2026-03-07T12:00Z", [24, 23, 24]],
    ["America/New_York", "back", "2026-10-31T12:00Z", [24, 25, 24]],
    // Santiago sets its clock at midnight: in April from 24:00 back to 23:00 of the same day, in September from 24:00
    // to 01:00.
    ["America/Santiago", "back", "2026-04-03T12:00Z", [24, 25, 24]],
    ["America/Santiago", "forward", "2026-09-05T12:00Z", [24, 23, 24]],
    ["Asia/Kolkata", "never", "2026-10-24T12:00Z", [24, 24, 24]],
    // Lord Howe sets its clock by half an hour. Days have whole UTC hours, so one has 23.
    ["Australia/Lord_Howe", "forward", "2026-10-02T16:00Z", [24, 23, 24]],
    ["UTC", "never", "2026-10-24T12:00Z", [24, 24, 24]],
  ] as const) {
    it(`${zone}, where the clock is set ${change}: days of ${hours.join(", ")} hours`, () => {
      const { stepOf, nextOf } = stepCalendar("day", zone);
      const lengths: number[] = [];
      for (let step = stepOf(hourOf(from)); lengths.length < hours.length; step = nextOf(step)) {
        lengths.push(nextOf(step) - step);
        for (let hour = step; hour < nextOf(step); hour++) assert.equal(stepOf(hour), step, timeOf(hour));
      }
      assert.deepEqual(lengths, hours);
    });
  }

  it("begins them at midnight there, and months too", () => {
    assert.deepEqual(startsIn("day", "Europe/Berlin", "2026-10-24T12:00Z", "2026-10-26T12:00Z"), [
      "2026-10-23T22:00",
      "2026-10-24T22:00",
      "2026-10-25T23:00",
    ]);
    assert.deepEqual(startsIn("month", "America/New_York", "2026-10-24T12:00Z", "2026-12-24T12:00Z"), [
      "2026-10-01T04:00",
      "2026-11-01T04:00",
      "2026-12-01T05:00",
    ]);
    assert.deepEqual(startsIn("month", "UTC", "2026-11-30T12:00Z", "2027-01-01T00:00Z"), [
      "2026-11-01T00:00",
      "2026-12-01T00:00",
      "2027-01-01T00:00",
    ]);
  });

  it("ANA-15: begins them with the first whole hour where the offset is none", () => {
    assert.deepEqual(startsIn("day", "Asia/Kolkata", "2026-11-20T12:00Z", "2026-11-21T12:00Z"), [
      "2026-11-19T19:00",
      "2026-11-20T19:00",
    ]);
    assert.deepEqual(startsIn("day", "Asia/Kathmandu", "2026-11-20T12:00Z", "2026-11-20T12:00Z"), [
      "2026-11-19T19:00",
    ]);
    assert.deepEqual(startsIn("day", "America/St_Johns", "2026-11-20T12:00Z", "2026-11-20T12:00Z"), [
      "2026-11-20T04:00",
    ]);
  });

  it("goes on where a zone left out a whole day", () => {
    assert.deepEqual(startsIn("day", "Pacific/Apia", "2011-12-30T00:00Z", "2012-01-01T00:00Z"), [
      "2011-12-29T10:00",
      "2011-12-30T10:00",
      "2011-12-31T10:00",
    ]);
    assert.deepEqual(startsIn("month", "Pacific/Apia", "2011-12-20T00:00Z", "2012-01-20T00:00Z"), [
      "2011-12-01T10:00",
      "2011-12-31T10:00",
    ]);
  });

  it("knows the hours of a day of UTC that are of another day there", () => {
    const day = [hourOf("2026-11-20T00:00Z"), hourOf("2026-11-21T00:00Z")] as const;
    const straysOf = (zone: string): number[] =>
      strayHours(stepCalendar("day", zone), day).map((hour) => hour - day[0]);
    assert.deepEqual(straysOf("UTC"), []);
    assert.deepEqual(straysOf("Europe/Berlin"), [23]);
    assert.deepEqual(straysOf("America/New_York"), [0, 1, 2, 3, 4]);
    assert.deepEqual(straysOf("Pacific/Auckland"), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("takes names of zones alone", () => {
    for (const name of [
      "Europe/Berlin",
      "UTC",
      "Etc/GMT+5",
      "Asia/Kolkata",
      "America/Argentina/Buenos_Aires",
    ]) {
      assert.equal(isTimeZone(name), true, name);
    }
    for (const name of ["", "Europe/Atlantis", "+02:00", "-05", "Europe/Berlin ", "../etc"]) {
      assert.equal(isTimeZone(name), false, name);
    }
  });
});
