import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { formatMonth, monthOf, monthStartMs, parseMonth } from "../../../../src/domain/vocabulary/month.js";

describe("ANA-4: months, YYYY-MM", () => {
  it("a moment's month is the first seven characters of its timestamp", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }), (ms) => {
        const text = new Date(ms).toISOString().slice(0, 7);
        assert.equal(formatMonth(monthOf(ms)), text);
        assert.equal(parseMonth(text), monthOf(ms));
        assert.equal(new Date(monthStartMs(monthOf(ms))).toISOString(), `${text}-01T00:00:00.000Z`);
      }),
    );
  });

  for (const text of [
    "",
    "2026",
    "2026-00",
    "2026-13",
    "2026-1",
    "26-01",
    "2026-01-01",
    " 2026-01",
    "2026/01",
  ]) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(parseMonth(text), null));
  }
});
