import assert from "node:assert/strict";
import { describe, it } from "node:test";
import currencyCodes from "currency-codes";
import { CURRENCY_EXPONENTS } from "../../../../src/domain/vocabulary/currencies.js";
import { isCurrency } from "../../../../src/domain/vocabulary/iso-codes.js";

describe("FMT-11: currencies are those of ISO 4217 as amended", () => {
  it("XCG and XAD are ones, of two decimal places", () => {
    for (const code of ["XCG", "XAD"]) {
      assert.ok(isCurrency(code), code);
      assert.equal(CURRENCY_EXPONENTS.get(code), 2);
    }
  });

  it("codes that were withdrawn before this year are not", () => {
    const withdrawn = ["ANG", "CUC", "HRK", "LTL", "MRO", "SLL", "STD", "VEF", "ZWL", "BYR", "DEM", "ZMK"];
    assert.deepEqual(withdrawn.filter(isCurrency), []);
  });

  it("a currency withdrawn this year still counts, because its refunds are not over", () => {
    assert.ok(isCurrency("BGN"));
  });

  it("all other codes are the library's, with funds, metals and the code for tests", () => {
    const changed = new Set(["ANG", "CUC", "XCG", "XAD"]);
    const library = currencyCodes.data.filter(({ code }) => !changed.has(code));
    assert.ok(library.length > 170);
    for (const { code, digits } of library) assert.equal(CURRENCY_EXPONENTS.get(code), digits, code);
    assert.equal(CURRENCY_EXPONENTS.size, library.length + 2);
    for (const code of ["XAU", "XXX", "XTS", "CHE"]) assert.ok(isCurrency(code), code);
    assert.deepEqual(
      ["USD", "JPY", "KWD", "CLF"].map((code) => CURRENCY_EXPONENTS.get(code)),
      [2, 0, 3, 4],
    );
  });

  it("the amendments are dropped once the library has them", () => {
    // Newer data of the library may already have the amendments. This assertion fails when the data is renewed.
    assert.equal(currencyCodes.publishDate, "2024-06-25");
  });
});
