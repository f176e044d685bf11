import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import fc from "fast-check";
import { expiresAt } from "../../../src/dashboard/pages/api-keys/expiry.js";
import { formatExactTime, formatMoment, isSameDay } from "../../../src/dashboard/design/base/format.js";
import {
  applyZone,
  BROWSER_ZONE,
  chosenZone,
  fieldZone,
  zoneName,
} from "../../../src/dashboard/design/base/zone.js";
import {
  dayEndOf,
  dayIn,
  dayStartOf,
  fieldIn,
  instantOf,
  isoIn,
} from "../../../src/dashboard/design/base/zone-time.js";

const HOUR_MS = 3_600_000;
const at = (iso: string): number => Date.parse(iso);
const utc = (atMs: number | undefined): string =>
  atMs === undefined ? "none" : new Date(atMs).toISOString();

describe("DASH-28: an instant as a zone's clock shows it", () => {
  for (const [zone, instant, shown] of [
    ["UTC", "2026-10-25T01:30:00.123Z", "2026-10-25T01:30:00.123Z"],
    ["Europe/London", "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000+01:00"],
    ["Europe/London", "2026-10-25T01:30:00.000Z", "2026-10-25T01:30:00.000Z"],
    ["America/New_York", "2026-11-01T05:30:00.000Z", "2026-11-01T01:30:00.000-04:00"],
    ["America/New_York", "2026-11-01T06:30:00.000Z", "2026-11-01T01:30:00.000-05:00"],
    ["Asia/Kolkata", "2026-11-22T18:30:00.000Z", "2026-11-23T00:00:00.000+05:30"],
    ["America/St_Johns", "2026-01-01T00:00:00.000Z", "2025-12-31T20:30:00.000-03:30"],
    ["Pacific/Kiritimati", "2026-12-31T10:00:00.000Z", "2027-01-01T00:00:00.000+14:00"],
  ] as const) {
    it(`${instant} is ${shown} in ${zone}`, () => {
      assert.equal(isoIn(at(instant), zone), shown);
      assert.equal(fieldIn(at(instant), zone), shown.slice(0, 16));
      assert.equal(dayIn(at(instant), zone), shown.slice(0, 10));
    });
  }

  it("names the same instant in every zone", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const instants = fc.integer({ min: at("1990-01-01T00:00Z"), max: at("2060-01-01T00:00Z") });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (atMs, zone) => {
        assert.equal(at(isoIn(atMs, zone)), atMs);
      }),
    );
  });
});

describe("DASH-29: a time that was typed, in its zone", () => {
  for (const [what, zone, field, instant] of [
    [
      "a clock that goes back shows it twice: the first",
      "Europe/London",
      "2026-10-25T01:30",
      "2026-10-25T00:30",
    ],
    ["before that", "Europe/London", "2026-10-25T00:59", "2026-10-24T23:59"],
    ["after that", "Europe/London", "2026-10-25T02:00", "2026-10-25T02:00"],
    ["twice in New York", "America/New_York", "2026-11-01T01:30", "2026-11-01T05:30"],
    ["a clock that goes forward leaves it out", "America/New_York", "2026-03-08T02:30", "2026-03-08T07:30"],
    ["left out in London", "Europe/London", "2026-03-29T01:00", "2026-03-29T01:00"],
    ["half hours", "Asia/Kolkata", "2026-11-23T00:00", "2026-11-22T18:30"],
    ["a change of half an hour", "Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45"],
    ["UTC", "UTC", "2026-11-20T18:30", "2026-11-20T18:30"],
  ] as const) {
    it(`${what}: ${field} in ${zone} is ${instant} UTC`, () => {
      assert.equal(utc(instantOf(field, zone)), `${instant}:00.000Z`);
    });
  }

  it("an unambiguous time of a clock is read back as the same minute, in every zone", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const minutes = fc.integer({
      min: at("2000-01-01T00:00Z") / 60_000,
      max: at("2037-01-01T00:00Z") / 60_000,
    });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, zone) => {
        const field = fieldIn(minute * 60_000, zone);
        const read = instantOf(field, zone);
        assert.ok(read !== undefined);
        assert.equal(fieldIn(read, zone), field);
        // If the clocks go back, a time occurs twice, and the first of the two counts.
        assert.ok(read <= minute * 60_000 && minute * 60_000 - read <= 24 * HOUR_MS);
      }),
    );
  });

  it("an empty field and a text that is no time give none", () => {
    for (const field of ["", "soon", "2026-13-01T00:00"])
      assert.equal(instantOf(field, "Europe/London"), undefined);
    assert.equal(dayEndOf("", "UTC"), undefined);
  });

  for (const [zone, day, from, hours] of [
    ["Europe/London", "2026-10-25", "2026-10-24T23:00:00.000Z", 25],
    ["Europe/London", "2026-03-29", "2026-03-29T00:00:00.000Z", 23],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z", 25],
    ["Asia/Kolkata", "2026-10-25", "2026-10-24T18:30:00.000Z", 24],
    // On this day the clock goes from 23:59 to 01:00.
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z", 23],
    ["UTC", "2026-12-31", "2026-12-31T00:00:00.000Z", 24],
  ] as const) {
    it(`${day} has ${hours} hours in ${zone}, and a key that works until its end ends with them`, () => {
      const start = dayStartOf(day, zone);
      assert.equal(utc(start), from);
      const end = utc(at(from) + hours * HOUR_MS - 1);
      assert.equal(utc(dayEndOf(day, zone)), end);
      assert.equal(expiresAt("date", day, 0, zone), end);
    });
  }
});

describe("DASH-28: the zone is chosen once", () => {
  afterEach(() => applyZone("browser"));

  it("is the browser's until somebody chooses UTC", () => {
    assert.equal(chosenZone(), BROWSER_ZONE);
    assert.equal(zoneName("Asia/Calcutta"), "Asia/Kolkata");
    applyZone("utc");
    assert.equal(chosenZone(), "UTC");
    assert.equal(formatExactTime("2026-10-25T02:30:00.000+01:00"), "2026-10-25T01:30:00.000Z UTC");
    assert.equal(fieldZone("2026-10-25T01:30"), "UTC");
    assert.equal(formatMoment(at("2026-11-22T23:59:59Z"), at("2026-11-22T00:00:00Z")), "23:59:59");
    assert.equal(isSameDay(at("2026-11-22T23:59:59Z"), at("2026-11-23T00:00:00Z")), false);
  });
});
