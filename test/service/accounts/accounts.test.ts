import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import {
  ask,
  auditOf,
  bearer,
  freshSession,
  login,
  newEmail,
  PASSWORD,
  personOf,
  post,
  register,
} from "../../support/people/accounts.js";
import { atOnce } from "../../support/service/at-once.js";
import { openConnection, requestText } from "../../support/http/raw-http.js";
import {
  decisionBody,
  eventually,
  send,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey } from "../../support/people/tenants.js";

const HOUR_MS = 3_600_000;
const REGISTER = "/v1/auth/register";
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const WRONG_PASSWORD = {
  statusCode: 401,
  message: "Invalid e-mail address or password",
  error: "Unauthorized",
};

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

const me = (token: string): Promise<Reply> => ask(service, "GET", "/v1/auth/me", token);
const cookieOf = ({ headers }: Reply): string => headers.get("set-cookie") ?? "";
const sessionOf = ({ json }: Reply) => json["session"] as { token: string; expires_at: string };

describe("POST /v1/auth/register", () => {
  it("ACC-1, AUTH-2, AUTH-3, FMT-7: 201 {user, workspace, session} and the cookie", async () => {
    const email = newEmail();
    const beforeMs = Date.now();
    const reply = await post(service, REGISTER, {
      email,
      password: PASSWORD,
      name: "Ada",
      workspace_name: "Shop",
      merchant_id: "shop:1",
    });
    assert.equal(reply.status, 201, reply.text);
    const { userId, workspaceId, token } = personOf(reply);
    const workspace = reply.json["workspace"] as { created_at: string };
    assert.deepEqual(reply.json, {
      user: { user_id: userId, email, name: "Ada" },
      workspace: {
        id: workspaceId,
        name: "Shop",
        status: "active",
        default_decision_mode: null,
        risk_block_threshold: 90,
        risk_block_threshold_source: "default",
        retention_days: 400,
        retention_days_source: "default",
        require_one_time_codes: false,
        created_at: new Date(workspace.created_at).toISOString(),
      },
      session: { token, expires_at: new Date(sessionOf(reply).expires_at).toISOString() },
    });
    assert.match(userId, /^usr_[0-9a-z]{26}$/);
    assert.match(workspaceId, /^ws_[0-9a-z]{26}$/);
    assert.match(token, TOKEN);
    const lifeMs = Date.parse(sessionOf(reply).expires_at) - beforeMs;
    assert.ok(lifeMs >= 7 * 24 * HOUR_MS && lifeMs < 7 * 24 * HOUR_MS + 60_000);
    assert.equal(
      cookieOf(reply),
      `payinference_session=${token}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict`,
    );
    assert.deepEqual(await auditOf(service, workspaceId), [
      {
        actor: userId,
        action: "workspace.created",
        resource: workspaceId,
        metadata: { merchant_id: "shop:1" },
      },
    ]);
  });

  it("ACC-1: registers the merchant too, which can decide at once", async () => {
    await atOnce(
      () => register(service),
      async ({ workspaceId }) => {
        const key = await createKey(service.pool, workspaceId);
        const reply = await send(service, "POST", "/v1/decision", { body: decisionBody(), key });
        assert.equal(reply.status, 200, reply.text);
      },
    );
  });

  it("the name is null if none is given", async () => {
    const reply = await post(service, REGISTER, {
      email: newEmail(),
      password: PASSWORD,
      workspace_name: "Shop",
    });
    assert.deepEqual((reply.json["user"] as { name: unknown }).name, null);
  });

  it("409 for an address that has a user, in any case and with any password; nothing is created", async () => {
    const { email } = await register(service);
    const count = async () =>
      (await service.pool.query("select from workspaces")).rowCount ?? assert.fail("no count");
    const workspaces = await count();
    for (const [again, password] of [
      [email, PASSWORD],
      [email.toUpperCase(), "another password"],
    ]) {
      const reply = await post(service, REGISTER, { email: again, password, workspace_name: "Again" });
      assert.deepEqual(
        [reply.status, reply.json],
        [409, { statusCode: 409, message: "This e-mail address cannot be registered", error: "Conflict" }],
      );
    }
    assert.equal(await count(), workspaces);
  });

  it("answers one 201 and one 409 to two concurrent requests for one address", async () => {
    const email = newEmail();
    const replies = await Promise.all(
      [1, 2].map(() => post(service, REGISTER, { email, password: PASSWORD, workspace_name: "Shop" })),
    );
    assert.deepEqual(replies.map(({ status }) => String(status)).toSorted(), ["201", "409"]);
  });

  const valid = { email: "a@example.com", password: PASSWORD, workspace_name: "Shop" };
  const refused: [what: string, body: Record<string, unknown>, path: string, code: string][] = [
    ["a password of 11 characters", { ...valid, password: "x".repeat(11) }, "password", "too_small"],
    ["a password of 257 characters", { ...valid, password: "x".repeat(257) }, "password", "too_big"],
    ["a password that is a number", { ...valid, password: 123_456_789_012 }, "password", "invalid_type"],
    ["an address without @", { ...valid, email: "nobody" }, "email", "invalid_string"],
    ["an address with a space", { ...valid, email: " a@example.com" }, "email", "invalid_string"],
    ["an address of 255 characters", { ...valid, email: `${"a".repeat(250)}@b.cd` }, "email", "too_big"],
    ["an empty workspace name", { ...valid, workspace_name: "" }, "workspace_name", "too_small"],
    ["a malformed merchant", { ...valid, merchant_id: "a b" }, "merchant_id", "invalid_string"],
    ["an unknown field", { ...valid, role: "owner" }, "role", "unrecognized_keys"],
    ["no workspace name", { email: valid.email, password: PASSWORD }, "workspace_name", "invalid_type"],
  ];
  for (const [what, body, path, code] of refused) {
    it(`ACC-2: 400 ${code} for ${what}, which is not echoed`, async () => {
      const reply = await post(service, REGISTER, body);
      assert.equal(reply.status, 400);
      const issues = reply.json["issues"] as { path: string; code: string }[];
      assert.deepEqual(
        issues.map((issue) => [issue.path, issue.code]),
        [[path, code]],
      );
      const value = body[path];
      if (typeof value === "string" && value.length > 3 && path !== "role") {
        assert.ok(!reply.text.includes(value));
      }
    });
  }

  it("ACC-2, FMT-10: signs in with another Unicode composition of the password, and keeps names as sent", async () => {
    const [composed, decomposed] = ["tr\u00e8s long mot de pass\u00e9", "tre\u0300s long mot de passe\u0301"];
    for (const [chosen, typed] of [
      [composed, decomposed],
      [decomposed, composed],
    ] as const) {
      const email = newEmail();
      const body = { email, password: chosen, name: "Rene\u0301", workspace_name: "Cafe\u0301" };
      const registered = await post(service, REGISTER, body);
      assert.equal(registered.status, 201, registered.text);
      const signedIn = await login(service, email, typed);
      assert.equal(signedIn.status, 200, signedIn.text);
      assert.ok(signedIn.text.includes("Rene\u0301") && signedIn.text.includes("Cafe\u0301"));
      const bare = typed.normalize("NFD").replaceAll("\u0301", "");
      assert.equal((await login(service, email, bare)).status, 401);
    }
  });

  it("AUTH-19: keeps the password as Argon2id only, and a session as a hash", async () => {
    const { userId, token } = await register(service);
    const { rows } = await service.pool.query<{ password_hash: string }>(
      "select password_hash from users order by user_id desc limit 1",
    );
    assert.match(rows[0]?.password_hash ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const stored = await service.pool.query<{ text: string }>(
      "select u::text || s::text || m::text as text from users u, sessions s, memberships m",
    );
    for (const { text } of stored.rows) assert.ok(!text.includes(PASSWORD) && !text.includes(token));
    assert.ok(!service.log().includes(PASSWORD) && !service.log().includes(token) && userId !== "");
  });
});

/** A start that had to wait for PostgreSQL prints no login. In that case demo.json has it. */
async function demoLogin(): Promise<{ email: string; password: string }> {
  // The service is ready a moment before it has printed everything.
  return eventually(async () => {
    const printed = service.printed()[0] ?? "";
    if (printed.includes("waits for PostgreSQL")) {
      const demo = await readFile(join(service.dataDir, "demo.json"), "utf8");
      return JSON.parse(demo) as { email: string; password: string };
    }
    const [, email = "", password = ""] = /login +(\S+) \/ (\S+)\n/.exec(printed) ?? assert.fail(printed);
    return { email, password };
  });
}

describe("POST /v1/auth/login", () => {
  it("ACC-3: 200 as register, with a session of its own", async () => {
    const person = await register(service);
    const reply = await login(service, person.email.toUpperCase());
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(Object.keys(reply.json), ["user", "workspace", "session"]);
    const { userId, workspaceId, token } = personOf(reply);
    assert.deepEqual([userId, workspaceId], [person.userId, person.workspaceId]);
    assert.notEqual(token, person.token);
    assert.equal((await me(token)).status, 200);
    assert.match(cookieOf(reply), new RegExp(`^payinference_session=${token}; Path=/; `));
  });

  it("ACC-3: one answer for an unknown address and a wrong password", async () => {
    const { email } = await register(service);
    for (const [address, password] of [
      [email, "a wrong password"],
      [newEmail(), PASSWORD],
    ] as const) {
      const reply = await login(service, address, password);
      assert.deepEqual([reply.status, reply.json], [401, WRONG_PASSWORD]);
      assert.equal(cookieOf(reply), "");
    }
  });

  it("rotates: the session that the browser still sends ends, and the user's others stay", async () => {
    const person = await register(service);
    const { token: elsewhere } = await freshSession(service, person);
    const reply = await login(service, person.email, PASSWORD, {
      cookie: `payinference_session=${person.token}`,
    });
    assert.equal(reply.status, 200);
    const statuses = [person.token, elsewhere, personOf(reply).token].map(
      async (token) => (await me(token)).status,
    );
    assert.deepEqual(await Promise.all(statuses), [401, 200, 200]);
  });

  it("a wrong password ends nothing", async () => {
    const person = await register(service);
    await login(service, person.email, "a wrong password", bearer(person.token));
    assert.equal((await me(person.token)).status, 200);
  });

  it("the demo's login, as the start prints it, works", async () => {
    const { email, password } = await demoLogin();
    const reply = await login(service, email, password);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(personOf(reply).workspaceId, service.workspaceId);
    const { json } = await me(personOf(reply).token);
    assert.equal(json["role"], "owner");
  });
});

describe("GET /v1/auth/me, POST /v1/auth/logout", () => {
  it("ACC-4: {user, workspace, role}", async () => {
    const person = await register(service);
    const { status, json } = await me(person.token);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(json), ["user", "workspace", "role"]);
    assert.deepEqual(json["user"], { user_id: person.userId, email: person.email, name: null });
    assert.equal((json["workspace"] as { id: string }).id, person.workspaceId);
    assert.equal(json["role"], "owner");
  });

  it("ACC-4: 204 without a body; the cookie is cleared and the session ends", async () => {
    const person = await register(service);
    const connection = await openConnection(service.url);
    connection.write(
      requestText("POST", "/v1/auth/logout", [
        ["Cookie", `payinference_session=${person.token}`],
        ["Sec-Fetch-Site", "same-origin"],
        ["Host", "localhost"],
      ]),
    );
    const reply = await connection.reply();
    assert.deepEqual([reply.status, reply.body], [204, ""]);
    assert.equal(reply.headers.get("content-length"), undefined);
    assert.deepEqual(reply.headers.get("set-cookie"), [
      "payinference_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict",
    ]);
    // The connection stays usable.
    connection.write(requestText("GET", "/health"));
    assert.equal((await connection.reply()).status, 200);
    connection.destroy();
    assert.equal((await me(person.token)).status, 401);
  });
});

describe("sessions are 12 h idle, 7 d absolute", () => {
  const cases: [what: string, ageMs: number, idleMs: number, status: number][] = [
    ["6 days old and used an hour ago", 6 * 24 * HOUR_MS, HOUR_MS, 200],
    ["unused for 11 hours", 11 * HOUR_MS, 11 * HOUR_MS, 200],
    ["AUTH-19: unused for 12 hours", 12 * HOUR_MS, 12 * HOUR_MS, 401],
    ["7 days old, however much it was used", 7 * 24 * HOUR_MS, 0, 401],
  ];
  for (const [what, ageMs, idleMs, status] of cases) {
    it(`${status} for one that is ${what}`, async () => {
      const person = await register(service);
      const { token } = await freshSession(service, person, Date.now() - ageMs);
      await service.pool.query(
        `update sessions set last_used_at = now() - $2 * interval '1 millisecond'
         where created_at < now() - interval '1 hour' and user_id = (select user_id from users where email = $1)`,
        [person.email, idleMs],
      );
      assert.equal((await me(token)).status, status);
    });
  }

  it("a new session deletes the member's expired ones", async () => {
    const person = await register(service);
    await freshSession(service, person, Date.now() - 8 * 24 * HOUR_MS);
    await freshSession(service, person, Date.now() - 13 * HOUR_MS);
    await login(service, person.email);
    const { rowCount } = await service.pool.query(
      "select from sessions s join users u on u.user_id = s.user_id where u.email = $1",
      [person.email],
    );
    assert.equal(rowCount, 2);
  });
});

describe("AUTH-3: the cookie is Secure unless plain-http development", () => {
  it("is Secure behind a proxy or under another name", async () => {
    const person = await register(service);
    const body = JSON.stringify({ email: person.email, password: PASSWORD });
    for (const [host, extra, isSecure] of [
      ["localhost:8080", [], false],
      ["pay.example", [], true],
      ["localhost:8080", [["X-Forwarded-For", "203.0.113.9"]], true],
    ] as [string, [string, string][], boolean][]) {
      const connection = await openConnection(service.url);
      const headers: [string, string][] = [["Host", host], ["Content-Type", "application/json"], ...extra];
      connection.write(requestText("POST", "/v1/auth/login", headers, body));
      const reply = await connection.reply();
      assert.equal(reply.status, 200);
      assert.equal(
        (reply.headers.get("set-cookie")?.[0] ?? "").endsWith("; Secure"),
        isSecure,
        `${host} ${extra.flat().join(": ")}`,
      );
      connection.destroy();
    }
  });
});
