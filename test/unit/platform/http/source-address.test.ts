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
    // With fewer entries than trusted proxies, the request did not come through the proxies.
    [3, "198.51.100.1, 203.0.113.1", PEER],
    [1, "203.0.113.1:51234", "203.0.113.1"],
    [1, "2001:DB8::1", "2001:db8:0:0::/64"],
    [1, "[2001:db8::1]:443", "2001:db8:0:0::/64"],
    [1, "::ffff:203.0.113.1", "203.0.113.1"],
    [1, "0:0:0:0:0:ffff:cb00:7101", "203.0.113.1"],
    [1, "fe80::1%eth0", "fe80:0:0:0::/64"],
    [1, "64:ff9b::203.0.113.1", "64:ff9b:0:0::/64"],
    [1, "::", "0:0:0:0::/64"],
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

  it("RATE-8: an IPv6 source is its /64: every address in it, and no address outside", () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length });
    const text = (prefix: readonly number[], rest: readonly number[]): string =>
      [...prefix, ...rest].map((part) => part.toString(16)).join(":");
    const counted = (address: string): string => sourceAddress(address, undefined, 0);
    fc.assert(
      fc.property(groups(4), groups(4), groups(4), fc.nat(63), (prefix, rest, other, bit) => {
        // If the first four groups are all zero, the address may be a mapped IPv4 address, which has no /64.
        fc.pre(prefix.some((part) => part !== 0));
        const source = counted(text(prefix, rest));
        assert.equal(counted(text(prefix, other)), source);
        const flipped = prefix.map((part, at) => (at === bit >> 4 ? part ^ (1 << (bit & 15)) : part));
        fc.pre(flipped.some((part) => part !== 0));
        assert.notEqual(counted(text(flipped, rest)), source);
        const shortened = new URL(`http://[${text(prefix, rest)}]/`).hostname.slice(1, -1);
        assert.equal(counted(shortened), source);
      }),
    );
  });

  it("RATE-6: entries that a caller writes to the left of the proxies' own change nothing", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 5 }), (claimed, hops) => {
        const appended = Array.from({ length: hops }, (_, i) => `198.51.100.${i}`).join(", ");
        assert.equal(sourceAddress(PEER, `${claimed}, ${appended}`, hops), "198.51.100.0");
      }),
    );
  });
});
