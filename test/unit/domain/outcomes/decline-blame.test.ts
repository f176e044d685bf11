import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { blameOf, DECLINE_BLAMES } from "../../../../src/domain/outcomes/decline-blame.js";
import { HARD_DECLINE_CODES } from "../../../../src/domain/vocabulary/hard-decline-codes.js";

describe("HLTH-30: the published table of blame", () => {
  for (const [code, blame] of [
    ["51", "customer"],
    ["insufficient_funds", "customer"],
    ["N7", "customer"],
    ["incorrect_cvc", "customer"],
    ["54", "customer"],
    ["expired_card", "customer"],
    ["authentication_failed", "customer"],
    ["91", "issuer"],
    ["05", "provider"],
    ["do_not_honor", "provider"],
    ["Insufficient_Funds", "provider"],
    ["", "provider"],
    [null, "provider"],
  ] as const) {
    it(`${code ?? "no code"}: ${blame}`, () => assert.equal(blameOf(code), blame));
  }

  it("has a row for every hard decline, and each code once with its source and date", () => {
    for (const { code } of HARD_DECLINE_CODES) assert.equal(blameOf(code), "issuer");
    assert.equal(new Set(DECLINE_BLAMES.map(({ code }) => code)).size, DECLINE_BLAMES.length);
    for (const { source, date, meaning } of DECLINE_BLAMES) {
      assert.ok(source !== "" && meaning !== "");
      assert.match(date, /^\d{4}-\d\d-\d\d$/);
    }
  });
});
