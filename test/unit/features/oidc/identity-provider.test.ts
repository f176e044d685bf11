import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFlowCookie } from "../../../../src/features/oidc/flow-cookie.js";
import { createIdentityProvider } from "../../../../src/features/oidc/identity-provider.js";
import { startScriptedServer } from "../../../support/http/scripted-server.js";

const SECRETS = { state: "s".repeat(43), nonce: "n".repeat(43), verifier: "v".repeat(43) };

const providerAt = (issuer: string, timeoutMs: number) => {
  const codes: string[] = [];
  const provider = createIdentityProvider({
    issuer,
    clientId: "client",
    clientSecret: "secret",
    publicUrl: "http://127.0.0.1:8080",
    timeoutMs,
    monotonicMs: () => 0,
    onProblem: ({ code }) => codes.push(code),
  });
  return { provider, codes };
};

const answering = (status: string, body: string) =>
  startScriptedServer((socket) => {
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  });

describe("AUTH-33: an identity provider that does not answer as one", () => {
  it("AUTH-33: one that takes the request and stays silent is away once its time is over", async () => {
    const { url } = await startScriptedServer(() => undefined);
    assert.equal(await providerAt(url, 100).provider.begin(SECRETS), "unavailable");
  });

  it("AUTH-33: requests that come together ask once, and the next one asks again", async () => {
    const { url, requests } = await answering("500 Internal Server Error", "{}");
    const { provider, codes } = providerAt(url, 60_000);
    const both = await Promise.all([provider.begin(SECRETS), provider.begin(SECRETS)]);
    assert.deepEqual(both, ["unavailable", "unavailable"]);
    assert.equal(requests.length, 1);
    assert.equal(await provider.begin(SECRETS), "unavailable");
    assert.equal(requests.length, 2);
    assert.deepEqual(new Set(codes), new Set(["OAUTH_RESPONSE_IS_NOT_CONFORM"]));
  });

  it("AUTH-27: metadata of another issuer is not used", async () => {
    const metadata = { issuer: "http://127.0.0.1:1", authorization_endpoint: "http://127.0.0.1:1/auth" };
    const { url } = await answering("200 OK", JSON.stringify(metadata));
    assert.equal(await providerAt(url, 60_000).provider.begin(SECRETS), "invalid");
  });
});

describe("AUTH-25: the cookie of a sign-in", () => {
  const options = { clientSecret: "secret", lifeMs: 1000 };
  const flow = { ...SECRETS, next: "/team" };

  it("AUTH-25: opens for its kind, its secret and its time alone", () => {
    const cookie = createFlowCookie({ ...options, now: () => 0 });
    const header = `theme=dark; payinference_oidc=${cookie.seal("begun", flow)}`;
    assert.deepEqual(cookie.open("begun", header), flow);
    assert.equal(cookie.open("coded", header), "none");
    assert.equal(
      createFlowCookie({ ...options, clientSecret: "other", now: () => 0 }).open("begun", header),
      "none",
    );
    assert.equal(createFlowCookie({ ...options, now: () => 1000 }).open("begun", header), "expired");
    assert.equal(cookie.open("begun", undefined), "none");
  });
});
