import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ALERT_KINDS, alertKindRow } from "../../../../src/domain/vocabulary/alert-kinds.js";

describe("the kinds of alerts", () => {
  it("ALRT-12: each is stored as a number of its own", () => {
    const codes = ALERT_KINDS.map((kind) => alertKindRow(kind).code);
    assert.deepEqual(codes, [...new Set(codes)]);
  });
});
