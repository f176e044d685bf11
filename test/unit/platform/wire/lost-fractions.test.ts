import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { losesFraction } from "../../../../src/domain/vocabulary/written-number.js";
import { findLostFractions } from "../../../../src/platform/wire/lost-fractions.js";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";

const pathsOf = (text: string): string[] => findLostFractions(text).map(({ path }) => path);

describe("a fraction is judged as it is written", () => {
  const lost = [
    "12500.0000000000000000001",
    "12500.0000000000000000001e0",
    "9007199254740991.4",
    "1e-400",
    "-1e-400",
    "0.1e-9999999999999999999999",
    "125000000000000000000001e-1",
    `1.${"0".repeat(1000)}1`,
    "0.99999999999999999999999",
  ];
  const kept = [
    "12500",
    "12500.0",
    "12500.50",
    "1.25e4",
    "125000e-1",
    "0",
    "-0",
    "-0.0",
    "0e-400",
    "0.000E+999999999999999999999",
    "1e400",
    "1e22",
    "100000000000000000000001",
    "0.1",
    "5e-324",
  ];
  for (const text of lost) it(`ERR-19: ${text.slice(0, 40)} loses one`, () => assert.ok(losesFraction(text)));
  for (const text of kept) it(`ERR-19: ${text} loses none`, () => assert.ok(!losesFraction(text)));

  it("ERR-19: agrees for any decimal with integers of any size", () => {
    const digits = fc.string({ unit: fc.constantFrom(..."0001239"), minLength: 1, maxLength: 25 });
    const exponent = fc.option(fc.integer({ min: -60, max: 60 }), { nil: undefined });
    fc.assert(
      fc.property(fc.boolean(), digits, fc.option(digits, { nil: undefined }), exponent, (minus, a, b, e) => {
        const whole = BigInt(a).toString();
        const text = `${minus ? "-" : ""}${whole}${b === undefined ? "" : `.${b}`}${e === undefined ? "" : `e${e}`}`;
        // The value times 10^200, which is whole.
        const scaled = BigInt(whole + (b ?? "")) * 10n ** BigInt(200 - (b ?? "").length + (e ?? 0));
        const isWhole = scaled % 10n ** 200n === 0n;
        assert.equal(losesFraction(text), Number.isInteger(Number(text)) && !isWhole, text);
      }),
      { numRuns: 3000 },
    );
  });

  it("ERR-19: names each by its path, and ignores texts and keys", () => {
    const bad = "1.00000000000000000001";
    const text = `{"a":${bad},"b":[1,${bad},{"c\\u0061":${bad}}, "x,[{${bad}\\"" ],"${bad}":2.5,"d" : {"e":{}, "f": -${bad}}, "g":${bad}}`;
    assert.deepEqual(pathsOf(text), ["a", "b.1", "b.2.ca", "d.f", "g"]);
    assert.deepEqual(pathsOf(bad), [""]);
    assert.deepEqual(pathsOf(`[[${bad}],[],${bad}]`), ["0.0", "2"]);
    assert.deepEqual(pathsOf(`{"4111111111111111":${bad}}`), ["[redacted]"]);
  });

  it("ERR-13: names no more of them than are listed", () => {
    const many = `[${Array.from({ length: 1000 }, () => "1e-400").join(",")}]`;
    assert.equal(findLostFractions(many).length, LIMITS.validationIssuesMax);
  });
});
