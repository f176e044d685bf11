import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { base32, codeAt, stepAt, stepOf } from "../../../../src/features/one-time-codes/totp.js";
import {
  hashRecoveryCode,
  makeRecoveryCodes,
} from "../../../../src/features/one-time-codes/recovery-codes.js";

/** RFC 6238, appendix B, SHA1. */
const SECRET = Buffer.from("12345678901234567890");
const VECTORS: readonly (readonly [seconds: number, code: string])[] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
];

describe("ACC-16: one-time codes are those of RFC 6238", () => {
  for (const [seconds, code] of VECTORS) {
    it(`appendix B at ${seconds} s, with 8 digits and with the last 6`, () => {
      const step = stepAt(seconds * 1000);
      assert.equal(codeAt(SECRET, step, 8), code);
      assert.equal(codeAt(SECRET, step), code.slice(2));
    });
  }

  it("a code holds one step before and one after its own, and no further", () => {
    const step = 1_000_000;
    const nowMs = step * 30_000 + 12_345;
    const around = [-2, -1, 0, 1, 2].map((by) => stepOf(codeAt(SECRET, step + by), SECRET, nowMs, 0));
    assert.deepEqual(around, [null, step - 1, step, step + 1, null]);
  });

  it("a code of a step that was used, or of an earlier one, is refused", () => {
    const step = 1_000_000;
    const nowMs = step * 30_000;
    assert.equal(stepOf(codeAt(SECRET, step), SECRET, nowMs, step - 1), step);
    assert.equal(stepOf(codeAt(SECRET, step), SECRET, nowMs, step), null);
    assert.equal(stepOf(codeAt(SECRET, step - 1), SECRET, nowMs, step), null);
    assert.equal(stepOf(codeAt(SECRET, step + 1), SECRET, nowMs, step), step + 1);
  });

  it("a text other than six digits is no code", () => {
    for (const text of ["", "12345", "1234567", "äöüäöü"])
      assert.equal(stepOf(text, SECRET, 30_000_000_000, 0), null);
  });
});

describe("ACC-15: the secret and the recovery codes as people read them", () => {
  for (const [bytes, text] of [
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["12345678901234567890", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
  ] as const) {
    it(`base32 of "${bytes}", from RFC 4648`, () => {
      // The last character of an incomplete group is left out. 10 and 20 bytes have no incomplete group.
      const complete = Math.floor((bytes.length * 8) / 5);
      assert.equal(base32(Buffer.from(bytes)), text.slice(0, complete));
    });
  }

  it("recovery codes differ, and are the same in upper case and without hyphens", () => {
    const codes = makeRecoveryCodes();
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) {
      assert.match(code, /^[a-z2-7]{4}(?:-[a-z2-7]{4}){3}$/);
      assert.deepEqual(hashRecoveryCode(code.toUpperCase().replaceAll("-", " ")), hashRecoveryCode(code));
    }
  });
});
