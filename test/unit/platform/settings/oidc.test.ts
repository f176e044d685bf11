import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readSettings, SettingsError } from "../../../../src/platform/settings/settings.js";

const ALL = {
  OIDC_ISSUER: "https://id.example/tenant/",
  OIDC_CLIENT_ID: "payinference",
  OIDC_CLIENT_SECRET: "a client secret",
  PUBLIC_URL: "https://pay.example/",
};

const assertRefused = (env: Readonly<Record<string, string>>, line: RegExp): void =>
  assert.throws(
    () => readSettings(env),
    (error) => error instanceof SettingsError && line.test(error.message) && !error.message.includes("\n"),
  );

describe("AUTH-24: the settings of an identity provider", () => {
  it("AUTH-24: all of them, or none; PUBLIC_URL may be alone", () => {
    assert.deepEqual(readSettings(ALL).oidc, {
      issuer: "https://id.example/tenant/",
      clientId: "payinference",
      clientSecret: "a client secret",
      publicUrl: "https://pay.example",
    });
    assert.equal(readSettings({}).oidc, null);
    assert.equal(readSettings({ PUBLIC_URL: ALL.PUBLIC_URL }).oidc, null);
  });

  for (const missing of Object.keys(ALL)) {
    it(`AUTH-24: one line names ${missing} if it alone is missing`, () => {
      const { [missing as keyof typeof ALL]: _, ...some } = ALL;
      assertRefused(some, new RegExp(`^${missing}: must be set with OIDC_`));
    });
  }

  it("AUTH-24: http of a loopback address, and of no other", () => {
    for (const host of ["localhost:9000", "127.0.0.1", "[::1]:80"]) {
      const env = { ...ALL, OIDC_ISSUER: `http://${host}/id`, PUBLIC_URL: `http://${host}` };
      assert.equal(readSettings(env).oidc?.issuer, `http://${host}/id`);
    }
    for (const name of ["OIDC_ISSUER", "PUBLIC_URL"]) {
      for (const url of [
        "http://id.example",
        "https://id.example/?a=1",
        "ftp://localhost",
        "https://a:b@id.example",
      ])
        assertRefused({ ...ALL, [name]: url }, new RegExp(`^${name}: must be an https`));
    }
    assertRefused({ ...ALL, PUBLIC_URL: "https://pay.example/shop" }, /^PUBLIC_URL: must be an https/);
  });
});
