import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  generateApiKey,
  hashApiKey,
  parseApiKey,
  verifyApiKey,
} from "../../../../src/path/access/api-key.js";
import { equalInConstantTime, publicIdOf } from "../../../../src/path/access/api-key-cache.js";
import { takesOwn } from "../../../../src/path/access/cell.js";
import { MODES } from "../../../../src/domain/vocabulary/vocabulary.js";

describe("keys", () => {
  for (const mode of MODES) {
    it(`KEY-1: look like pi_${mode}_… with at least 192 random bits`, () => {
      const { secret, prefix, publicId } = generateApiKey(mode);
      assert.match(secret, new RegExp(`^pi_${mode}_[0-9a-f]{64}$`));
      assert.equal(prefix, `pi_${mode}_${publicId}`);
      assert.equal(publicIdOf(secret), publicId);
      // The characters that the prefix does not reveal have 4 bits each.
      assert.ok((secret.length - prefix.length) * 4 >= 192);
      assert.deepEqual(parseApiKey(secret), { mode, publicId });
    });
  }

  it("KEY-1: differ in every part", () => {
    const keys = Array.from({ length: 200 }, () => generateApiKey("test"));
    for (const part of [
      keys.map(({ secret, prefix }) => secret.slice(prefix.length)),
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
        fc.nat({ max: secret.length - 1 }),
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

  it("CELL-1: name their cell behind the mode, and have a public id at any length of the name", () => {
    for (const cell of ["a", "eu1", "abcdef01"]) {
      const { secret, prefix, publicId } = generateApiKey("live", cell);
      assert.match(secret, new RegExp(`^pi_live_${cell}_[0-9a-f]{64}$`));
      assert.equal(prefix, `pi_live_${cell}_${publicId}`);
      assert.equal(publicIdOf(secret), publicId);
      assert.deepEqual(parseApiKey(secret, takesOwn(cell)), { mode: "live", publicId });
    }
    for (const length of [0, 71, 82]) assert.equal(publicIdOf("a".repeat(length)), "", `${length}`);
  });

  it("CELL-2: are no key where they name another cell, and are one where they name none", () => {
    const [named, unnamed] = [generateApiKey("test", "a"), generateApiKey("test")];
    assert.equal(parseApiKey(named.secret, takesOwn("b")), null);
    assert.equal(parseApiKey(named.secret), null, "a deployment with one cell");
    assert.notEqual(parseApiKey(unnamed.secret, takesOwn("b")), null);
    for (const cell of ["A", "1a", "abcdefgh9", "a-b", ""])
      assert.equal(
        parseApiKey(named.secret.replace("_a_", `_${cell}_`), () => true),
        null,
        cell,
      );
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
