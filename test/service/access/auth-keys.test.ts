import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { SCOPES, type Scope } from "../../../src/domain/vocabulary/vocabulary.js";
import { onceLooked } from "../../support/service/once-looked.js";
import { decisionBody, eventually, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, revokeKey, setWorkspaceStatus } from "../../support/people/tenants.js";

let service: RunningService;
let workspaceId: string;
before(async () => {
  service = await sharedTestService();
  workspaceId = await createWorkspace(service, { merchants: ["shop_a", "shop_b"] });
});

/** Waits for a change that the database announces to the node. */
const soon = (check: () => Promise<void>): Promise<void> => onceLooked(service, check);

const NO_CREDENTIALS = "Provide an x-api-key header or a session token";
const unauthorized = (message: string) => ({ statusCode: 401, message, error: "Unauthorized" });
const forbidden = (message: string) => ({ statusCode: 403, message, error: "Forbidden" });
const TENANT_INACTIVE = forbidden("Tenant is not active");
const INVALID = unauthorized("Invalid API key");

/** Every endpoint that accepts a key, with its scope in the table of AUTH-12 and its answer to a valid key. */
const ENDPOINTS: readonly { method: string; path: string; body?: unknown; scope: Scope; status: number }[] = [
  {
    method: "POST",
    path: "/v1/decision",
    body: decisionBody({ merchant_id: "shop_a" }),
    scope: "decision:write",
    status: 200,
  },
  { method: "GET", path: "/v1/provider-health", scope: "health:read", status: 200 },
  {
    method: "GET",
    path: "/v1/decisions/dec_01jd4wqk2m0000000000000000",
    scope: "policy:read",
    status: 404,
  },
  { method: "GET", path: "/v1/policies/shop_a", scope: "policy:read", status: 200 },
  {
    method: "POST",
    path: "/v1/policies",
    body: { merchant_id: "shop_a", name: "Draft", rules: [] },
    scope: "policy:write",
    status: 200,
  },
  {
    method: "POST",
    path: "/v1/policies/pol_01jd4wqk2m0000000000000000/publish",
    scope: "policy:write",
    status: 404,
  },
];

const ask = (endpoint: (typeof ENDPOINTS)[number], key: string | null) =>
  send(service, endpoint.method, endpoint.path, { body: endpoint.body, key });

const decide = (key: string | null, merchantId = "shop_a") =>
  send(service, "POST", "/v1/decision", { body: decisionBody({ merchant_id: merchantId }), key });

/** The key with one hexadecimal digit changed. */
function altered(key: string, at: number): string {
  return key.slice(0, at) + (key[at] === "0" ? "1" : "0") + key.slice(at + 1);
}

describe("Authentication failures", () => {
  for (const endpoint of ENDPOINTS) {
    it(`AUTH-1, AUTH-6: ${endpoint.method} ${endpoint.path} without credentials: 401`, async () => {
      const { status, text } = await ask(endpoint, null);
      assert.equal(status, 401);
      assert.equal(text, JSON.stringify(unauthorized(NO_CREDENTIALS)));
    });
  }

  const malformed: [what: string, key: (good: string) => string][] = [
    ["an empty one", () => ""],
    ["a word", () => "nonsense"],
    ["only the prefix", () => "pi_test_"],
    ["one of another service", () => "sk_live_0123456789abcdef"],
    ["the visible prefix of a key", (good) => good.slice(0, 24)],
    ["a key cut short", (good) => good.slice(0, -1)],
    ["a key with more behind it", (good) => `${good}0`],
    ["a key in upper case", (good) => good.toUpperCase()],
    ["a key of an unknown mode", (good) => good.replace("pi_test_", "pi_demo_")],
    ["SVC-9: a test key as a live key", (good) => good.replace("pi_test_", "pi_live_")],
    ["a wrong last digit", (good) => altered(good, good.length - 1)],
    ["a wrong first digit of the secret", (good) => altered(good, 24)],
    ["AUTH-7: an unknown public id", (good) => altered(good, 12)],
    ["a key twice", (good) => `${good}, ${good}`],
    ["another header's syntax", (good) => `Bearer ${good}`],
    ["SQL", () => "' or 1=1 --".padEnd(72)],
    ["72 characters outside of ASCII", () => "\u00e9".repeat(72)],
  ];
  for (const [what, key] of malformed) {
    it(`AUTH-7: a wrong or malformed key, ${what}: 401`, async () => {
      const good = await createKey(service.pool, workspaceId);
      for (const endpoint of ENDPOINTS) {
        const { status, text } = await ask(endpoint, key(good));
        assert.equal(status, 401);
        assert.equal(text, JSON.stringify(INVALID));
      }
      // Guesses at a key must not lock its holder out, before or after its first use.
      assert.equal((await decide(good)).status, 200);
      assert.equal((await decide(key(good))).status, 401);
      assert.equal((await decide(good)).status, 200);
    });
  }

  it("AUTH-1: reads the key only from x-api-key", async () => {
    const key = await createKey(service.pool, workspaceId);
    const elsewhere = [
      { authorization: `Bearer ${key}` },
      { cookie: `x-api-key=${key}` },
      { "api-key": key },
    ];
    for (const headers of elsewhere) {
      const path = `/v1/provider-health?x-api-key=${key}`;
      const { status, json } = await send(service, "GET", path, { key: null, headers });
      assert.equal(status, 401);
      assert.equal(json["error"], "Unauthorized");
    }
  });

  it("AUTH-7, KEY-4: an expired key: 401", async () => {
    const key = await createKey(service.pool, workspaceId, { expiresAt: new Date(Date.now() - 1) });
    for (let i = 0; i < 2; i++) assert.deepEqual((await decide(key)).json, INVALID);
  });

  it("KEY-4: a key that expires while it is cached: 401 from then on", async () => {
    for (const lifeMs of [700, 2100, 6300, 20_000, 60_000]) {
      const expiresAt = new Date(Date.now() + lifeMs);
      const key = await createKey(service.pool, workspaceId, { expiresAt });
      const { status, text } = await decide(key);
      // If the key had expired before its first use, the test tries one that lives longer.
      if (status !== 200 && Date.now() >= expiresAt.getTime()) continue;
      assert.equal(status, 200, text);
      await sleep(expiresAt.getTime() - Date.now() + 5);
      assert.deepEqual((await decide(key)).json, INVALID);
      return;
    }
    assert.fail("no key was used before it expired");
  });

  it("AUTH-7, KEY-9: a revoked key: 401, as soon as the node learns of the revocation", async () => {
    const [revoked, kept] = await Promise.all([
      createKey(service.pool, workspaceId),
      createKey(service.pool, workspaceId),
    ]);
    for (const key of [revoked, kept]) assert.equal((await decide(key)).status, 200);
    await revokeKey(service.pool, revoked);
    // The database notifies the node, so this takes far less than the 60 seconds of the cache.
    await soon(async () => assert.deepEqual((await decide(revoked)).json, INVALID));
    for (const endpoint of ENDPOINTS) assert.deepEqual((await ask(endpoint, revoked)).json, INVALID);
    assert.equal((await decide(kept)).status, 200);
  });

  it("an unknown key is not remembered: it works once it exists", async () => {
    // A revoked key stands for a key that does not exist yet. Its first look-up fails, and a later one succeeds.
    const key = await createKey(service.pool, workspaceId);
    await service.pool.query("update api_keys set revoked_at = now() where position(public_id in $1) > 0", [
      key,
    ]);
    await eventually(async () => assert.equal((await decide(key)).status, 401));
    await service.pool.query("update api_keys set revoked_at = null where position(public_id in $1) > 0", [
      key,
    ]);
    await soon(async () => assert.equal((await decide(key)).status, 200));
  });

  it("ADM-8, AUTH-10, HTTP-2: a suspended workspace: 403 on every endpoint, until it is active again", async () => {
    const suspendedId = await createWorkspace(service, { merchants: ["shop_a"] });
    const keys = await Promise.all([
      createKey(service.pool, suspendedId),
      createKey(service.pool, suspendedId, { mode: "live" }),
      createKey(service.pool, suspendedId, { scopes: [] }),
    ]);
    assert.equal((await decide(keys[0])).status, 200);
    await setWorkspaceStatus(service.pool, suspendedId, "suspended");
    await soon(async () => assert.deepEqual((await decide(keys[0])).json, TENANT_INACTIVE));
    for (const key of keys) {
      for (const endpoint of ENDPOINTS) {
        const { status, text } = await ask(endpoint, key);
        assert.equal(status, 403);
        assert.equal(text, JSON.stringify(TENANT_INACTIVE));
      }
    }
    // The service checks credentials before the workspace's status.
    assert.deepEqual((await decide(altered(keys[0], 30))).json, INVALID);
    await setWorkspaceStatus(service.pool, suspendedId, "active");
    await soon(async () => assert.equal((await decide(keys[0])).status, 200));
  });
});

describe("Scopes", () => {
  for (const endpoint of ENDPOINTS) {
    for (const scope of SCOPES) {
      const granted = scope === endpoint.scope;
      it(`AUTH-12, REQ-1: ${endpoint.method} ${endpoint.path} with only ${scope}: ${granted ? endpoint.status : 403}`, async () => {
        const key = await createKey(service.pool, workspaceId, { scopes: [scope] });
        const { status, text } = await ask(endpoint, key);
        assert.equal(status, granted ? endpoint.status : 403, text);
        if (!granted) {
          const message = `API key is missing scopes: ${endpoint.scope}`;
          assert.equal(text, JSON.stringify(forbidden(message)));
        }
      });
    }

    it(`AUTH-8: ${endpoint.method} ${endpoint.path} with every scope but ${endpoint.scope}: 403`, async () => {
      const scopes = SCOPES.filter((scope) => scope !== endpoint.scope);
      const key = await createKey(service.pool, workspaceId, { scopes });
      const { status, json } = await ask(endpoint, key);
      assert.equal(status, 403);
      assert.deepEqual(json, forbidden(`API key is missing scopes: ${endpoint.scope}`));
    });
  }

  it("a key's scopes may change while it is cached", async () => {
    const key = await createKey(service.pool, workspaceId);
    assert.equal((await decide(key)).status, 200);
    await service.pool.query("update api_keys set scopes = '{}' where position(public_id in $1) > 0", [key]);
    await soon(async () => assert.equal((await decide(key)).status, 403));
  });
});

describe("a key may be scoped to a single merchant", () => {
  const OTHER_MERCHANT = forbidden("API key is scoped to a different merchant");

  it("AUTH-9, FMT-10: decides for its merchant and for no other", async () => {
    const key = await createKey(service.pool, workspaceId, { merchantId: "shop_a" });
    assert.equal((await decide(key, "shop_a")).status, 200);
    for (const merchantId of ["shop_b", "unknown", "shop_a.", "SHOP_A"]) {
      const { status, text } = await decide(key, merchantId);
      assert.equal(status, 403);
      assert.equal(text, JSON.stringify(OTHER_MERCHANT));
    }
  });

  it("TEN-4: a merchant that is not in the workspace: 403", async () => {
    const key = await createKey(service.pool, workspaceId);
    // `demo_merchant` belongs to another workspace, and `unknown` does not exist. Both get the same answer.
    const answers = await Promise.all([decide(key, "demo_merchant"), decide(key, "unknown")]);
    for (const { status, json } of answers) {
      assert.equal(status, 403);
      assert.deepEqual(json, forbidden(String(json["message"])));
    }
    assert.equal(answers[0]?.text, answers[1]?.text);
  });

  it("a merchant registered later: 200 from then on", async () => {
    const key = await createKey(service.pool, workspaceId);
    assert.equal((await decide(key, "late_shop")).status, 403);
    await service.pool.query("insert into merchants (workspace_id, merchant_id) values ($1, 'late_shop')", [
      idToHex(workspaceId),
    ]);
    await soon(async () => assert.equal((await decide(key, "late_shop")).status, 200));
  });
});
