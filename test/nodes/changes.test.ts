import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { ask, bearer, login, personOf, register, type Person } from "../support/people/accounts.js";
import { createDatabaseGate, type DatabaseGate } from "../support/postgres/database-gate.js";
import { createTestDatabase } from "../support/postgres/postgres.js";
import {
  AS_DELIVERED,
  decisionBody,
  eventually,
  send,
  startTestService,
  type Reply,
  type RunningService,
} from "../support/service/service.js";
import { NO_VALKEY, startValkey, type TestValkey } from "../support/edge/valkey.js";

const skip = NO_VALKEY;
const ADMIN = { PLATFORM_ADMIN_EMAIL: "root@pay.example", PLATFORM_ADMIN_PASSWORD: "platform password" };
/** POL-13 says 5 s. In this test the time only has to be much shorter than the cache life of 60 s. */
const SOON_MS = 15_000;

let valkey: TestValkey;
let gate: DatabaseGate;
let service: RunningService;
/** Another node, whose connection to PostgreSQL can be shut. */
let other: RunningService;
let admin: Person;
before(async () => {
  if (skip !== false) return;
  valkey = await startValkey();
  const { url } = await createTestDatabase();
  gate = await createDatabaseGate(url);
  const env = {
    ...ADMIN,
    CACHE_URL: valkey.url,
    ...AS_DELIVERED,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
    DECISION_WORKERS: "1",
    DEMO: "0",
    REGISTRATION: "open",
  };
  service = await startTestService({ ...env, DATABASE_URL: url });
  other = await startTestService({ ...env, DATABASE_URL: gate.url });
  admin = personOf(await login(service, ADMIN.PLATFORM_ADMIN_EMAIL, ADMIN.PLATFORM_ADMIN_PASSWORD));
});

const decide = (node: RunningService, key: string): Promise<Reply> =>
  send(node, "POST", "/v1/decision", { body: decisionBody(), key });
const asPerson = (person: Person, method: string, path: string, body: unknown): Promise<Reply> =>
  send(service, method, path, { body, key: null, headers: bearer(person.token) });

async function newKey(person: Person): Promise<{ id: string; secret: string }> {
  const body = { name: "k", mode: "test", scopes: ["decision:write", "policy:write"] };
  const { json } = await asPerson(person, "POST", "/v1/api-keys", body);
  const { id } = json["api_key"] as { id: string };
  const secret = String(json["secret"]);
  await eventually(async () => assert.equal((await decide(other, secret)).status, 200), SOON_MS);
  return { id, secret };
}

describe("nodes on one PostgreSQL and one cache learn of each other's changes", { skip }, () => {
  it("POL-13: a published policy, a workspace's settings and a provider override decide on the other node", async () => {
    const person = await register(service);
    const { secret } = await newKey(person);
    const policy = {
      merchant_id: "demo_merchant",
      name: "Hold all",
      publish: true,
      rules: [{ name: "hold", when: {}, then: { type: "hold" } }],
    };
    const published = await send(service, "POST", "/v1/policies", { body: policy, key: secret });
    assert.equal(published.status, 200, published.text);
    await eventually(async () => assert.equal((await decide(other, secret)).json["action"], "hold"), SOON_MS);
    await asPerson(person, "PATCH", "/v1/admin/workspace", { default_decision_mode: "shadow" });
    await eventually(
      async () => assert.equal((await decide(other, secret)).json["decision_mode"], "shadow"),
      SOON_MS,
    );
    const pinned = await asPerson(person, "PUT", "/v1/admin/provider-overrides/provider_1", {
      state: "critical",
    });
    assert.equal(pinned.status, 200, pinned.text);
    await eventually(async () => {
      const health = (await decide(other, secret)).json["provider_health"] as Record<
        string,
        { state: string }
      >;
      assert.equal(health["provider_1"]?.state, "critical");
    }, SOON_MS);
  });

  it("SET-5: the other node refuses a revoked key and a suspended workspace long before 60 s", async () => {
    const person = await register(service);
    const [revoked, kept] = [await newKey(person), await newKey(person)];
    assert.equal((await ask(service, "DELETE", `/v1/api-keys/${revoked.id}`, person.token)).status, 200);
    assert.equal((await decide(service, revoked.secret)).status, 401);
    await eventually(async () => assert.equal((await decide(other, revoked.secret)).status, 401), SOON_MS);
    const path = `/v1/admin/workspaces/${person.workspaceId}/suspend`;
    assert.equal((await ask(service, "POST", path, admin.token)).status, 200);
    assert.equal((await decide(service, kept.secret)).status, 403);
    await eventually(async () => assert.equal((await decide(other, kept.secret)).status, 403), SOON_MS);
  });

  it("a node that is cut off from PostgreSQL also refuses a key revoked meanwhile", async () => {
    const person = await register(service);
    const [revoked, kept] = [await newKey(person), await newKey(person)];
    await gate.stall();
    await eventually(async () => assert.equal((await send(other, "GET", "/ready")).status, 503), SOON_MS);
    for (const { secret } of [revoked, kept]) assert.equal((await decide(other, secret)).status, 200);
    assert.equal((await ask(service, "DELETE", `/v1/api-keys/${revoked.id}`, person.token)).status, 200);
    await eventually(async () => assert.notEqual((await decide(other, revoked.secret)).status, 200), SOON_MS);
    assert.equal((await decide(other, kept.secret)).status, 200, "its other keys go on");
    await gate.shut();
    await gate.open();
    await eventually(async () => {
      assert.equal((await decide(other, revoked.secret)).status, 401);
      assert.equal((await send(other, "GET", "/ready")).status, 200);
    }, SOON_MS);
  });

  it("a message that is no announcement is ignored and does no harm", async () => {
    for (const message of ["", "null", "[]", '{"from":1}', '{"from":"x","changed":"nothing"}', "{"]) {
      assert.ok((await valkey.client.publish("payinference:catalog", message)) >= 2, "both nodes listen");
    }
    assert.equal((await send(other, "GET", "/health")).status, 200);
    assert.equal(other.process.exitCode, null);
  });
});
