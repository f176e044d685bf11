import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { signingKeyOf } from "../../../../src/features/webhooks/webhook-signature.js";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

describe("whsec_ and the base64 of 24 to 64 bytes", () => {
  it("HOOK-4: is the key of every length, and of no other", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        const key = signingKeyOf(`whsec_${Buffer.from(bytes).toString("base64")}`);
        const isKey = bytes.length >= 24 && bytes.length <= 64;
        assert.deepEqual(key, isKey ? Buffer.from(bytes) : null, `${bytes.length} bytes`);
      }),
      { numRuns: 500 },
    );
  });

  it("HOOK-4: is written in one way: no other last character, no padding less or more", () => {
    for (let length = 24; length <= 64; length++) {
      const base64 = Buffer.alloc(length, 0xa7).toString("base64");
      const digits = base64.replaceAll("=", "");
      for (const last of BASE64) {
        const secret = digits.slice(0, -1) + last + base64.slice(digits.length);
        const isCanonical = Buffer.from(secret, "base64").toString("base64") === secret;
        assert.equal(signingKeyOf(`whsec_${secret}`) !== null, isCanonical, secret);
      }
      for (const padding of ["", "=", "==", "==="]) {
        assert.equal(signingKeyOf(`whsec_${digits}${padding}`) !== null, digits + padding === base64);
      }
    }
  });

  for (const secret of ["", "whsec_", `WHSEC_${"A".repeat(32)}`, `whsec_${"-".repeat(32)}`, "A".repeat(32)]) {
    it(`refuses ${JSON.stringify(secret)}`, () => assert.equal(signingKeyOf(secret), null));
  }
});
