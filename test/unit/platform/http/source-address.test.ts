import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { sourceAddress } from "../../../../src/platform/http/source-address.js";

const PEER = "192.0.2.99";

describe("TRUST_PROXY_HOPS must equal the trusted hop count", () => {
  const cases: [hops: number, forwardedFor: string | undefined, address: string][] = [
    [0, "203.0.113.1", PEER],
    [0, undefined, PEER],
    [1, undefined, PEER],
    [1, "203.0.113.1", "203.0.113.1"],
    [1, "198.51.100.1, 203.0.113.1", "203.0.113.1"],
    [2, "198.51.100.1,203.0.113.1", "198.51.100.1"],
    [2, "10.0.0.1, 198.51.100.1 , 203.0.113.1", "198.51.100.1"],
    // Fewer entries than trusted proxies: it did not come through them.
    [3, "198.51.100.1, 203.0.113.1", PEER],
    [1, "203.0.113.1:51234", "203.0.113.1"],
    [1, "2001:DB8::1", "2001:db8::1"],
    [1, "[2001:db8::1]:443", "2001:db8::1"],
    [1, "unknown", PEER],
    [1, "", PEER],
    [1, "203.0.113.1,", PEER],
    [1, "203.0.113.256", PEER],
  ];
  for (const [hops, forwardedFor, address] of cases) {
    it(`${hops} of ${forwardedFor ?? "no header"}: ${address}`, () => {
      assert.equal(sourceAddress(PEER, forwardedFor, hops), address);
    });
  }

  it("RATE-6: whatever a caller writes to the left of what the proxies append changes nothing", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 5 }), (claimed, hops) => {
        const appended = Array.from({ length: hops }, (_, i) => `198.51.100.${i}`).join(", ");
        assert.equal(sourceAddress(PEER, `${claimed}, ${appended}`, hops), "198.51.100.0");
      }),
    );
  });
});
