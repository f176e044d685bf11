import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openReplica } from "../../../src/path/replica/replica.js";
import { ask, bearer, login, PASSWORD, post, register, type Person } from "../../support/people/accounts.js";
import { createDatabaseGate, type DatabaseGate } from "../../support/postgres/database-gate.js";
import { inTime } from "../../support/waiting/host-noise.js";
import { createTestDatabase, openPool } from "../../support/postgres/postgres.js";
import {
  AS_DELIVERED,
  decisionBody,
  eventually,
  send,
  startTestService,
  untilAnswered,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, revokeKey, setWorkspaceStatus } from "../../support/people/tenants.js";

const ANSWERED_WITHIN_MS = 2000;

let gate: DatabaseGate;
let service: RunningService;
let owner: Person;
before(async () => {
  gate = await createDatabaseGate((await createTestDatabase()).url);
  service = await startTestService({
    ...AS_DELIVERED,
    DATABASE_URL: gate.url,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
  });
  owner = await register(service);
});

const decide = (key: string): Promise<Reply> =>
  send(service, "POST", "/v1/decision", { body: decisionBody(), key });
const untilAway = () =>
  eventually(async () => assert.equal((await send(service, "GET", "/ready", { key: null })).status, 503));
const untilBack = () =>
  eventually(async () => assert.equal((await send(service, "GET", "/ready", { key: null })).status, 200));

describe("DUR-5: accounts while PostgreSQL is away answer 503 in time", () => {
  const requests: Record<string, () => Promise<Reply>> = {
    login: () => login(service, owner.email),
    register: () =>
      post(service, "/v1/auth/register", { email: "x@y.z", password: PASSWORD, workspace_name: "W" }),
    "accept-invitation": () =>
      post(service, "/v1/auth/accept-invitation", { token: "A".repeat(43), name: "N", password: PASSWORD }),
    me: () => ask(service, "GET", "/v1/auth/me", owner.token),
    logout: () => ask(service, "POST", "/v1/auth/logout", owner.token),
    "api keys": () => ask(service, "GET", "/v1/api-keys", owner.token),
    team: () => ask(service, "GET", "/v1/team", owner.token),
    "a session on a scoped endpoint": () => ask(service, "GET", "/v1/decisions", owner.token),
  };
  const outages: Record<string, () => Promise<void>> = {
    unreachable: () => gate.shut(),
    frozen: () => gate.stall(),
  };
  for (const [name, begin] of Object.entries(outages)) {
    it(`${name}; the session is still good afterwards`, async () => {
      const key = await createKey(service.pool, owner.workspaceId);
      // The key is used twice, because a look-up is not cached while the listener recovers from the outage.
      for (let use = 0; use < 2; use++)
        await eventually(async () => assert.equal((await decide(key)).status, 200));
      await begin();
      try {
        // Each request is tried at once, before the node can know of the outage, and again when it knows.
        for (const known of [false, true]) {
          if (known) await untilAway();
          for (const [what, request] of Object.entries(requests)) {
            const { status, text } = await inTime(ANSWERED_WITHIN_MS, what, request, service.process.pid);
            assert.equal(status, 503, `${what}: ${text}`);
          }
        }
        assert.equal((await decide(key)).status, 200);
      } finally {
        await gate.shut();
        await gate.open();
      }
      await untilBack();
      await eventually(async () => assert.equal((await requests["me"]?.())?.status, 200));
    });
  }
});

describe("KEY-9: a key revoked while unused is not accepted after PostgreSQL goes away", () => {
  it("the key is revoked here or elsewhere, or its workspace is suspended elsewhere", async () => {
    const other = await register(service);
    const { pool } = service;
    // Elsewhere means directly in the database, without this service.
    const elsewhere = openPool(gate.url);
    const [good, revokedElsewhere, suspended] = await Promise.all([
      createKey(pool, owner.workspaceId),
      createKey(pool, owner.workspaceId),
      createKey(pool, other.workspaceId),
    ]);
    const created = await untilAnswered(() =>
      send(service, "POST", "/v1/api-keys", {
        body: { name: "k", mode: "test", scopes: ["decision:write"] },
        key: null,
        headers: bearer(owner.token),
      }),
    );
    assert.equal(created.status, 201, created.text);
    const revokedHere = String(created.json["secret"]);
    const all = [good, revokedHere, revokedElsewhere, suspended];
    // Opens the node's replica from outside. A request with the keys would make the node look them up.
    const replica = openReplica(service.dataDir);
    const remembered = (secret: string): string | undefined => {
      replica.refresh();
      return replica.read(`api_key/${secret.slice("pi_test_".length, "pi_test_".length + 16)}`);
    };
    // A look-up is not cached while the listener recovers from the outage.
    for (const key of all) {
      await eventually(async () => {
        assert.equal((await decide(key)).status, 200);
        assert.notEqual(remembered(key), undefined);
      });
    }

    const { id } = created.json["api_key"] as { id: string };
    assert.equal((await ask(service, "DELETE", `/v1/api-keys/${id}`, owner.token)).status, 200);
    await revokeKey(elsewhere, revokedElsewhere);
    await setWorkspaceStatus(elsewhere, other.workspaceId, "suspended");
    await eventually(async () => {
      assert.equal(remembered(revokedHere), undefined);
      assert.equal(remembered(revokedElsewhere), undefined);
      assert.match(remembered(suspended) ?? "", /"workspaceStatus":"suspended"/);
      assert.notEqual(remembered(good), undefined);
    });
    await replica.close();

    await gate.shut();
    await untilAway();
    assert.deepEqual(
      await Promise.all(all.map(async (key) => (await decide(key)).status)),
      [200, 503, 503, 403],
    );
    await gate.open();
    await untilBack();
    await eventually(async () =>
      assert.deepEqual(
        await Promise.all(all.map(async (key) => (await decide(key)).status)),
        [200, 401, 401, 403],
      ),
    );
  });
});
