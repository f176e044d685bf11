import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { fnv1a, sampleBucketOf, stableHash } from "../../../../src/domain/policy/stable-hash.js";
import { hostileText } from "../../../support/generators/arbitraries.js";

describe("COND-14: stable hash", () => {
  it("is FNV-1a 32 before the finalizer, by its published vectors", () => {
    for (const [text, expected] of [
      ["", 0x811c9dc5],
      ["a", 0xe40c292c],
      ["foobar", 0xbf9cf968],
    ] as const) {
      assert.equal(fnv1a(text) >>> 0, expected);
    }
  });

  // The values come from an independent implementation (Python): FNV-1a 32 over UTF-8, then MurmurHash3's fmix32.
  for (const [text, expected] of [
    ["", 2872998923],
    ["a", 444641715],
    ["foobar", 202221276],
    ["order_1", 2729740042],
    ["order_2", 1280431584],
    ["order_1001", 1672122865],
    ["commande_é", 2149543402],
    ["注文_1", 1580020534],
    ["😀", 855877642],
  ] as const) {
    it(`never changes for ${JSON.stringify(text)}`, () => assert.equal(stableHash(text), expected));
  }

  it("reads any text as its UTF-8 bytes", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        let hash = 0x811c9dc5;
        for (const byte of Buffer.from(text, "utf8")) hash = Math.imul(hash ^ byte, 0x01000193);
        assert.equal(fnv1a(text), hash | 0);
      }),
    );
  });
});

describe("sample_bps_lt's bucket", () => {
  for (const [ruleId, orderId, bucket] of [
    ["rule_1", "order_1", 2319],
    ["rule_1", "order_2", 5442],
    ["rule_2", "order_1", 6976],
    ["rule_1", "", 5367],
  ] as const) {
    it(`is ${bucket} for ${ruleId} and "${orderId}"`, () =>
      assert.equal(sampleBucketOf(ruleId)(orderId), bucket));
  }

  it("COND-14: is the hash of both ids with U+0000 between them, modulo 10000", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (ruleId, orderId) => {
        assert.equal(sampleBucketOf(ruleId)(orderId), stableHash(`${ruleId}\u0000${orderId}`) % 10_000);
      }),
    );
  });

  it("keeps pairs apart that would run together", () => {
    assert.notEqual(sampleBucketOf("rule_1")("1order"), sampleBucketOf("rule_11")("order"));
  });

  it("spreads sequential order ids evenly, and independently between rules", () => {
    const first = sampleBucketOf("rule_1");
    const second = sampleBucketOf("rule_2");
    let inFirst = 0;
    let inBoth = 0;
    for (let i = 0; i < 20_000; i++) {
      const orderId = `order_${i}`;
      if (first(orderId) >= 2500) continue;
      inFirst++;
      if (second(orderId) < 2500) inBoth++;
    }
    // The expected numbers are 5000 and 1250. The bounds are about five standard deviations.
    assert.ok(Math.abs(inFirst - 5000) < 310, `${inFirst} of 20000 in 25 %`);
    assert.ok(Math.abs(inBoth - 1250) < 170, `${inBoth} of 20000 in 25 % of both`);
  });
});
