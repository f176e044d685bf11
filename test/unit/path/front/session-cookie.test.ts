import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isPlainHttpDevelopment, sessionCookie } from "../../../../src/path/front/session-cookie.js";

describe("AUTH-3: Secure unless plain-http development", () => {
  const here = { listenHost: "127.0.0.1", trustProxyHops: 0 };
  const direct = { host: "localhost:8080", forwardedFor: undefined };
  const cases: [
    what: string,
    settings: typeof here,
    head: Parameters<typeof isPlainHttpDevelopment>[1],
    is: boolean,
  ][] = [
    ["localhost", here, direct, true],
    ["127.0.0.1", here, { ...direct, host: "127.0.0.1:8080" }, true],
    ["::1", { ...here, listenHost: "::1" }, { ...direct, host: "[::1]:8080" }, true],
    ["listening on every address", { ...here, listenHost: "0.0.0.0" }, direct, false],
    ["a trusted proxy", { ...here, trustProxyHops: 1 }, direct, false],
    ["a proxy nobody trusts", here, { ...direct, forwardedFor: "203.0.113.1" }, false],
    ["a name of its own", here, { ...direct, host: "pay.example" }, false],
    ["a name that begins alike", here, { ...direct, host: "localhost.example" }, false],
    ["no host", here, { ...direct, host: undefined }, false],
  ];
  for (const [what, settings, head, is] of cases) {
    it(`${what}: ${is ? "development" : "Secure"}`, () => {
      assert.equal(isPlainHttpDevelopment(settings, head), is);
    });
  }

  it("HttpOnly, SameSite=Strict, Path=/ in any case", () => {
    for (const isSecure of [true, false]) {
      for (const token of ["abc", null]) {
        const attributes = sessionCookie(token, isSecure).split("; ");
        for (const wanted of ["HttpOnly", "SameSite=Strict", "Path=/"])
          assert.ok(attributes.includes(wanted));
        assert.equal(attributes.includes("Secure"), isSecure);
        assert.equal(attributes[0], `payinference_session=${token ?? ""}`);
        assert.equal(attributes.includes("Max-Age=0"), token === null);
      }
    }
  });
});
