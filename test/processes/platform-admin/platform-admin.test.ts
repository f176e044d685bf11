import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  ask,
  auditOf,
  login,
  PASSWORD,
  personOf,
  register,
  type Person,
} from "../../support/people/accounts.js";
import { atOnce } from "../../support/service/at-once.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { createKey } from "../../support/people/tenants.js";

const EMAIL = "root@pay.example";
const ADMIN = { PLATFORM_ADMIN_EMAIL: EMAIL, PLATFORM_ADMIN_PASSWORD: "platform password" };
const INACTIVE = { statusCode: 403, message: "Tenant is not active", error: "Forbidden" };
const WORKSPACES = "/v1/admin/workspaces";

/** The settings of every node, except those for the platform admin. */
let env: Record<string, string>;
let service: RunningService;
/** Another node on the same database. */
let other: RunningService;
let admin: Person;
before(async () => {
  env = {
    DATABASE_URL: (await createTestDatabase()).url,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    DEMO: "0",
    REGISTRATION: "open",
  };
  service = await startTestService({ ...env, ...ADMIN });
  other = await startTestService({ ...env, ...ADMIN });
  admin = personOf(await login(service, EMAIL, ADMIN.PLATFORM_ADMIN_PASSWORD));
});

const set = (verb: "suspend" | "activate", workspaceId: string, by = admin): Promise<Reply> =>
  ask(service, "POST", `${WORKSPACES}/${workspaceId}/${verb}`, by.token);
const decide = (key: string, node = service): Promise<Reply> =>
  send(node, "POST", "/v1/decision", { body: decisionBody(), key });

describe("GET /v1/auth/me identifies the platform admin", () => {
  it("platform_admin is true for the platform admin and absent for everybody else", async () => {
    const owner = await register(service);
    const [root, person] = await Promise.all(
      [admin, owner].map(({ token }) => ask(service, "GET", "/v1/auth/me", token)),
    );
    assert.deepEqual(Object.keys(root?.json ?? {}), ["user", "workspace", "role", "platform_admin"]);
    assert.equal(root?.json["platform_admin"], true);
    assert.deepEqual(Object.keys(person?.json ?? {}), ["user", "workspace", "role"]);
  });
});

describe("ADM-7: GET /v1/admin/workspaces", () => {
  it("lists all workspaces, newest first", async () => {
    const [first, second] = [await register(service), await register(service)];
    const { status, json } = await ask(service, "GET", WORKSPACES, admin.token);
    assert.equal(status, 200);
    const workspaces = json["workspaces"] as Record<string, string>[];
    assert.deepEqual(Object.keys(workspaces[0] ?? {}), ["id", "name", "status", "created_at"]);
    assert.deepEqual(
      workspaces.slice(0, 2).map(({ id }) => id),
      [second.workspaceId, first.workspaceId],
    );
    assert.ok(workspaces.some(({ id }) => id === admin.workspaceId));
  });
});

describe("POST /v1/admin/workspaces/:id/suspend, /activate", () => {
  it("ADM-7, ADM-8: every key and session gets 403 at once on this node and soon on others; activation restores access", async () => {
    const person = await register(service);
    const key = await createKey(service.pool, person.workspaceId);
    for (const node of [service, other]) {
      await eventually(async () => assert.equal((await decide(key, node)).status, 200));
    }
    const asked = async () => [await decide(key), await ask(service, "GET", "/v1/auth/me", person.token)];
    const suspended = await atOnce(
      () => set("suspend", person.workspaceId),
      async (reply) => {
        for (const { status, json } of await asked()) assert.deepEqual([status, json], [403, INACTIVE]);
        return reply;
      },
    );
    assert.equal(suspended.status, 200, suspended.text);
    const workspace = suspended.json["workspace"] as Record<string, string>;
    assert.deepEqual(Object.keys(workspace), ["id", "name", "status", "created_at"]);
    assert.deepEqual([workspace["id"], workspace["status"]], [person.workspaceId, "suspended"]);
    await eventually(async () => assert.deepEqual((await decide(key, other)).json, INACTIVE));
    assert.deepEqual((await ask(other, "GET", "/v1/auth/me", person.token)).json, INACTIVE);
    assert.deepEqual((await login(service, person.email)).json, INACTIVE);

    const activated = await atOnce(
      () => set("activate", person.workspaceId),
      async (reply) => {
        for (const { status, text } of await asked()) assert.equal(status, 200, text);
        return reply;
      },
    );
    assert.equal((activated.json["workspace"] as Record<string, string>)["status"], "active");
    await eventually(async () => assert.equal((await decide(key, other)).status, 200));
  });

  it("each change is in the audit trail of the workspace, once", async () => {
    const person = await register(service);
    for (const verb of ["suspend", "suspend", "activate", "activate"] as const) {
      assert.equal((await set(verb, person.workspaceId)).status, 200);
    }
    assert.deepEqual(
      (await auditOf(service, person.workspaceId))
        .slice(1)
        .map(({ actor, action, resource }) => [actor, action, resource]),
      [
        [admin.userId, "workspace.suspended", person.workspaceId],
        [admin.userId, "workspace.activated", person.workspaceId],
      ],
    );
  });

  it("409 for one's own workspace, because nobody could activate it again", async () => {
    const { status, json } = await set("suspend", admin.workspaceId);
    assert.deepEqual([status, json["message"]], [409, "Your own workspace cannot be suspended"]);
    assert.equal((await ask(service, "GET", "/v1/auth/me", admin.token)).status, 200);
  });
});

describe("KEY-9: revoking a key takes effect on other nodes too", () => {
  it("by notification, long before the cache life of 60 seconds", async () => {
    const person = await register(service);
    const body = { name: "k", mode: "test", scopes: ["decision:write"] };
    const created = await send(service, "POST", "/v1/api-keys", {
      body,
      key: null,
      headers: { authorization: `Bearer ${person.token}` },
    });
    const secret = String(created.json["secret"]);
    await eventually(async () => assert.equal((await decide(secret, other)).status, 200));
    const { id } = created.json["api_key"] as { id: string };
    await ask(service, "DELETE", `/v1/api-keys/${id}`, person.token);
    await eventually(async () => assert.equal((await decide(secret, other)).status, 401));
  });
});

describe("the platform admin is the user of PLATFORM_ADMIN_EMAIL and PLATFORM_ADMIN_PASSWORD", () => {
  /** Starts after the nodes above, without the settings for the platform admin. */
  let without: RunningService;
  let owner: Person;
  before(async () => {
    owner = await register(service);
    assert.equal((await ask(service, "GET", WORKSPACES, admin.token)).status, 200);
    for (const node of [service, other]) assert.equal(await node.stop(), 0);
    without = await startTestService(env);
  });

  it("ADM-10: a start without the settings ends the platform admin's rights and sessions, and no others", async () => {
    assert.equal((await ask(without, "GET", "/v1/auth/me", admin.token)).status, 401);
    assert.equal((await ask(without, "GET", "/v1/auth/me", owner.token)).status, 200);
    const again = personOf(await login(without, EMAIL, ADMIN.PLATFORM_ADMIN_PASSWORD));
    assert.equal((await ask(without, "GET", WORKSPACES, again.token)).status, 403);
    const me = await ask(without, "GET", "/v1/auth/me", again.token);
    assert.deepEqual([me.status, Object.keys(me.json)], [200, ["user", "workspace", "role"]]);
    const said = "PLATFORM_ADMIN_EMAIL is not set";
    assert.ok(without.log().includes(said));
    // The log says only once who lost the rights.
    await without.killAndRestart();
    assert.equal(without.log().split(said).length, 2);
  });

  it("ADM-6, ADM-10: a person who registered the address before loses password and sessions", async () => {
    const address = "squatted@pay.example";
    const settings = { ...ADMIN, PLATFORM_ADMIN_EMAIL: address };
    const squatter = await register(without, address);
    assert.equal((await ask(without, "GET", WORKSPACES, squatter.token)).status, 403);
    const second = await register(without);
    assert.equal(await without.stop(), 0);

    const withAdmin = await startTestService({ ...env, ...settings });
    assert.equal((await login(withAdmin, address, PASSWORD)).status, 401);
    assert.equal((await ask(withAdmin, "GET", "/v1/auth/me", squatter.token)).status, 401);
    const root = await login(withAdmin, address, ADMIN.PLATFORM_ADMIN_PASSWORD);
    assert.equal(root.status, 200, root.text);
    assert.equal((await ask(withAdmin, "GET", WORKSPACES, personOf(root).token)).status, 200);
    // A restart with the same password ends no session. A start with another address makes that user the only platform
    // admin.
    await withAdmin.killAndRestart();
    assert.equal((await ask(withAdmin, "GET", WORKSPACES, personOf(root).token)).status, 200);
    assert.equal(await withAdmin.stop(), 0);
    const renamed = await startTestService({
      ...env,
      PLATFORM_ADMIN_EMAIL: second.email,
      PLATFORM_ADMIN_PASSWORD: PASSWORD,
    });
    assert.equal((await ask(renamed, "GET", WORKSPACES, personOf(root).token)).status, 403);
    assert.equal((await ask(renamed, "GET", WORKSPACES, second.token)).status, 200);
    assert.ok(!renamed.log().includes(PASSWORD));
  });
});
