import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { blameOf, SOFT_DECLINE_BLAMES } from "../../../../src/domain/outcomes/decline-blame.js";
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

  it("is the table of the contract", () => {
    const page = readFileSync("docs/contract/health.md", "utf8");
    for (const blame of ["customer", "issuer"] as const) {
      const row = new RegExp(`^  \\| ${blame} \\| (.*) \\|$`, "m").exec(page)?.[1] ?? "";
      assert.deepEqual(
        row
          .split(", ")
          .map((code) => code.replaceAll("`", ""))
          .toSorted(),
        SOFT_DECLINE_BLAMES.filter((one) => one.blame === blame)
          .map(({ code }) => code)
          .toSorted(),
      );
    }
  });

  it("has a row for every hard decline, and each code once with its source and date", () => {
    for (const { code } of HARD_DECLINE_CODES) assert.equal(blameOf(code), "issuer");
    assert.equal(new Set(SOFT_DECLINE_BLAMES.map(({ code }) => code)).size, SOFT_DECLINE_BLAMES.length);
    for (const { source, date, meaning } of SOFT_DECLINE_BLAMES) {
      assert.ok(source !== "" && meaning !== "");
      assert.match(date, /^\d{4}-\d\d-\d\d$/);
    }
  });
});
