import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  isTimestamp,
  parseTimestamp,
  TIMESTAMP_PATTERN,
} from "../../../../src/domain/vocabulary/timestamp.js";

const DAY_MS = 86_400_000;

describe("timestamps", () => {
  it("are read to the millisecond, with any offset and fraction", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.parse("0001-01-02T00:00:00Z"), max: Date.parse("9999-12-30T00:00:00Z") }),
        fc.integer({ min: -1439, max: 1439 }),
        (ms, offsetMinutes) => {
          const local = new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, 23);
          const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
          const offset = `${offsetMinutes < 0 ? "-" : "+"}${pad(hours)}:${pad(minutes)}`;
          assert.equal(parseTimestamp(local + offset), ms);
          assert.equal(parseTimestamp(`${new Date(ms).toISOString().slice(0, 23)}999999Z`), ms);
        },
      ),
    );
  });

  it("FMT-16: are those of the calendar: every day of four centuries, and no other", () => {
    const pattern = new RegExp(TIMESTAMP_PATTERN);
    let days = 0;
    for (let year = 1600; year < 2000; year++) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const date = new Date(Date.UTC(year, month - 1, day));
          const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
          const text = `${year}-${pad(month)}-${pad(day)}T00:00:00Z`;
          assert.equal(pattern.test(text), exists, text);
          if (exists) days++;
        }
      }
    }
    assert.equal(days, (Date.UTC(2000, 0) - Date.UTC(1600, 0)) / DAY_MS);
  });

  for (const text of [
    "2026-01-01T24:00:00Z",
    "2026-01-01T23:60:00Z",
    "2026-01-01T23:59:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+00:60",
    "2026-01-01T00:00:00",
    "2026-01-01t00:00:00Z",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00.0000000000Z",
    "0000-01-01T00:00:00Z",
    "+02026-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z\n",
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(isTimestamp(text), false));
  }

  it("FMT-16: stay within the years that four digits name, in UTC as well", () => {
    for (const text of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"]) {
      assert.equal(
        new Date(parseTimestamp(text) ?? Number.NaN).toISOString().slice(0, 10),
        text.slice(0, 10),
      );
    }
    assert.equal(parseTimestamp("0001-01-01T00:00:00+00:01"), null);
    assert.equal(parseTimestamp("9999-12-31T23:59:59-00:01"), null);
  });
});

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
