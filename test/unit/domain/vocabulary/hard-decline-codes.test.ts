import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { outcomeOperations } from "../../../../src/features/outcomes/operations.js";
import { requestSchemas } from "../../../../src/features/docs/request-schemas.js";
import { HARD_DECLINE_CODES } from "../../../../src/domain/vocabulary/hard-decline-codes.js";
import { normalizeOutcome } from "../../../../src/domain/outcomes/normalize-outcome.js";

describe("OUT-7: the published table of hard-decline codes", () => {
  it("holds each code once, with its meaning, its source and a date that was", () => {
    const codes = HARD_DECLINE_CODES.map(({ code }) => code);
    assert.equal(new Set(codes).size, codes.length);
    for (const { code, meaning, source, date } of HARD_DECLINE_CODES) {
      assert.ok(meaning.length > 3 && source.length > 10, code);
      assert.match(date, /^\d{4}-\d\d-\d\d$/);
      assert.equal(new Date(date).toISOString().slice(0, 10), date);
    }
  });

  it("OUT-7: is the contract's, 14 and 46 among them", () => {
    assert.deepEqual(
      HARD_DECLINE_CODES.map(({ code }) => code).toSorted(),
      [
        ..."04 07 12 14 15 41 43 46 57 R0 R1 R3".split(" "),
        ..."do_not_try_again invalid_account lost_card pickup_card stolen_card".split(" "),
      ].toSorted(),
    );
  });

  it("is exactly the list that normalizes declined", () => {
    for (const { code } of HARD_DECLINE_CODES) {
      assert.equal(normalizeOutcome("declined", code, null), "hard_declined");
      assert.equal(normalizeOutcome("declined", ` ${code}`, null), "soft_declined");
    }
    for (const code of ["4", "013", "lost_Card", "51"]) {
      assert.equal(normalizeOutcome("declined", code, null), "soft_declined");
    }
  });

  it("is published whole in the OpenAPI document", () => {
    const { description = "" } =
      outcomeOperations(requestSchemas(["provider_1"]).outcome)["POST /v1/outcomes"] ?? {};
    for (const { code, meaning, source, date } of HARD_DECLINE_CODES) {
      assert.ok(description.includes(`| \`${code}\` | ${meaning} | ${source} | ${date} |`), code);
    }
  });
});
