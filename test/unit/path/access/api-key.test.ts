import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  API_KEY_CHARS,
  equalInConstantTime,
  generateApiKey,
  hashApiKey,
  parseApiKey,
  PUBLIC_ID_AT,
  PUBLIC_ID_END,
  verifyApiKey,
} from "../../../../src/path/access/api-key.js";
import { MODES } from "../../../../src/domain/vocabulary/vocabulary.js";

describe("keys", () => {
  for (const mode of MODES) {
    it(`KEY-1: look like pi_${mode}_… with at least 192 random bits`, () => {
      const { secret, prefix, publicId } = generateApiKey(mode);
      assert.match(secret, new RegExp(`^pi_${mode}_[0-9a-f]{64}$`));
      assert.equal(secret.length, API_KEY_CHARS);
      assert.equal(prefix, `pi_${mode}_${publicId}`);
      assert.equal(secret.slice(PUBLIC_ID_AT, PUBLIC_ID_END), publicId);
      // The characters that the prefix does not reveal have 4 bits each.
      assert.ok((secret.length - prefix.length) * 4 >= 192);
      assert.deepEqual(parseApiKey(secret), { mode, publicId });
    });
  }

  it("KEY-1: differ in every part", () => {
    const keys = Array.from({ length: 200 }, () => generateApiKey("test"));
    for (const part of [
      keys.map(({ secret }) => secret.slice(PUBLIC_ID_END)),
      keys.map(({ publicId }) => publicId),
      keys.map(({ salt }) => salt.toString("hex")),
      keys.map(({ hash }) => hash.toString("hex")),
    ]) {
      assert.equal(new Set(part).size, keys.length);
    }
  });

  it("KEY-2: are stored as SHA-256 with a salt of their own", () => {
    const { secret, salt, hash } = generateApiKey("live");
    assert.equal(salt.length, 16);
    assert.deepEqual(hash, createHash("sha256").update(salt).update(secret).digest());
    assert.notDeepEqual(hash, createHash("sha256").update(secret).digest());
    assert.equal(verifyApiKey(secret, salt, hash), true);
  });

  it("verify no other text and no other salt", () => {
    const { secret, salt, hash } = generateApiKey("test");
    const other = generateApiKey("test");
    assert.equal(verifyApiKey(other.secret, salt, hash), false);
    assert.equal(verifyApiKey(secret, other.salt, hash), false);
    assert.equal(verifyApiKey(secret, salt, hash.subarray(1)), false);
    assert.equal(verifyApiKey(secret, salt, Buffer.alloc(0)), false);
    fc.assert(
      fc.property(
        fc.nat({ max: API_KEY_CHARS - 1 }),
        fc.constantFrom(..."0123456789abcdefg"),
        (at, digit) => {
          const altered = secret.slice(0, at) + digit + secret.slice(at + 1);
          assert.equal(verifyApiKey(altered, salt, hash), altered === secret);
        },
      ),
    );
  });

  it("are recognised by their shape alone", () => {
    const { secret } = generateApiKey("test");
    for (const text of [
      "",
      "pi_test_",
      secret.slice(0, -1),
      `${secret}0`,
      ` ${secret}`,
      `${secret}\n`,
      secret.toUpperCase(),
      secret.replace("test", "demo"),
      secret.replace("pi_", "PI_"),
      hashApiKey(secret, Buffer.alloc(16)).toString("hex"),
    ]) {
      assert.equal(parseApiKey(text), null, JSON.stringify(text));
    }
  });
});

describe("compared in constant time", () => {
  it("KEY-2: answers as === does", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        assert.equal(equalInConstantTime(a, b), a === b);
        assert.equal(equalInConstantTime(a, a), true);
      }),
    );
  });
});
