import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loneStepsPath, rateLinePath } from "../../../src/dashboard/design/charts/rate-line-path.js";
import { trendText } from "../../../src/dashboard/pages/analytics/trend-text.js";

const DAYS = ["2026-11-24", "2026-11-25", "2026-11-26"].map((day) => `${day}T00:00:00.000Z`);

describe("DASH-45: a small chart of a rate", () => {
  it("has a gap for a missing rate, and a dot for a step alone", () => {
    assert.equal(rateLinePath([1, 0.5, 0]), "M2.0 2.0L48.0 11.0L94.0 20.0");
    assert.equal(loneStepsPath([1, 0.5, 0]), "");
    assert.equal(rateLinePath([1, null, 0]), "M2.0 2.0M94.0 20.0");
    assert.equal(loneStepsPath([1, null, 0]), "M2.0 2.0h0M94.0 20.0h0");
    assert.equal(loneStepsPath([0.5]), "M2.0 11.0h0");
    for (const path of [rateLinePath, loneStepsPath]) {
      assert.equal(path([null, null]), "");
      assert.equal(path([]), "");
    }
  });

  it("says its ends and its lowest point in words", () => {
    assert.equal(
      trendText([0.9, 0.2, 0.5], DAYS, "day"),
      "Approval by day: 90.0% in 2026-11-24 UTC, 50.0% in 2026-11-26 UTC, lowest 20.0% in 2026-11-25 UTC",
    );
    assert.equal(trendText([null, 0.25, null], DAYS, "month"), "Approval 25.0% in 2026-11 UTC");
    assert.equal(trendText([null, null, null], DAYS, "day"), "No outcome was reported");
  });
});
