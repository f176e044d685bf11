import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { alertSubject, HEALTH_FINDERS } from "../../../src/dashboard/explain/alert-text.js";
import { ALERT_KINDS, alertKindRow } from "../../../src/domain/vocabulary/alert-kinds.js";

describe("the page of alerts in words", () => {
  for (const kind of ALERT_KINDS) {
    it(`${kind}: an alert is named by the segment that it carries, or by what has happened`, () => {
      const row = alertKindRow(kind);
      const segment = row.carries.includes("segment_key") ? "provider_1:card:USD" : null;
      const title = row.opensBy === "health" ? null : row.title;
      const named = [title, segment].filter((part) => part !== null).join(": ");
      assert.notEqual(named, "");
      assert.equal(alertSubject({ kind, segment_key: segment }), named);
    });
  }

  it("names who finds the health states that open alerts", () => {
    assert.equal(HEALTH_FINDERS, "probes or your own outcomes");
  });
});
