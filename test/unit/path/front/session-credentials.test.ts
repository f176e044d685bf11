import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSameOrigin } from "../../../../src/path/front/session-credentials.js";

describe("AUTH-4: a cookie counts from the same origin only, and origins are compared, not texts", () => {
  const same: [origin: string, host: string][] = [
    ["https://pay.example", "pay.example"],
    ["http://pay.example", "pay.example"],
    ["https://pay.example", "pay.example:443"],
    ["http://pay.example", "pay.example:80"],
    ["https://pay.example:443", "pay.example"],
    ["https://pay.example:8443", "pay.example:8443"],
    ["https://PAY.Example", "pay.example"],
    ["HTTPS://pay.example", "PAY.EXAMPLE"],
    ["https://pay.example", "Pay.Example:443"],
    ["http://[::1]:8080", "[::1]:8080"],
    ["http://[::1]", "[0:0:0:0:0:0:0:1]:80"],
    ["https://pay.example:8443", "pay.example:08443"],
  ];
  for (const [origin, host] of same) {
    it(`AUTH-4: ${origin} at ${host} is the same`, () => {
      assert.ok(isSameOrigin({ secFetchSite: undefined, origin, host }));
    });
  }

  const others: [origin: string | undefined, host: string | undefined][] = [
    ["https://pay.example", "pay.example:80"],
    ["http://pay.example", "pay.example:443"],
    ["https://pay.example:8443", "pay.example"],
    ["https://pay.example", "pay.example:8443"],
    ["https://evil.example", "pay.example"],
    ["https://pay.example.evil.example", "pay.example"],
    ["https://evil.example/pay.example", "pay.example"],
    ["https://pay.example/", "pay.example"],
    ["https://pay.example@evil.example", "pay.example"],
    ["https://evil.example@pay.example", "pay.example"],
    ["https://pay.example?", "pay.example"],
    ["https://pay.example, https://pay.example", "pay.example"],
    ["ftp://pay.example", "pay.example"],
    ["pay.example", "pay.example"],
    ["null", "null"],
    ["", "pay.example"],
    ["https://", "pay.example"],
    ["https://pay.example:99999", "pay.example"],
    ["https://pay.example", "pay%20.example"],
    ["https://pay.example", "pay.example:99999"],
    [undefined, "pay.example"],
    ["https://pay.example", undefined],
  ];
  for (const [origin, host] of others) {
    it(`AUTH-4: ${String(origin)} at ${String(host)} is not`, () => {
      assert.ok(!isSameOrigin({ secFetchSite: undefined, origin, host }));
    });
  }

  it("AUTH-4: the site that the browser names counts where it names one", () => {
    const own = { origin: "https://pay.example", host: "pay.example" };
    assert.ok(!isSameOrigin({ ...own, secFetchSite: "same-site" }));
    assert.ok(isSameOrigin({ ...own, origin: "https://evil.example", secFetchSite: "same-origin" }));
  });
});
