import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { hashToken } from "../../../src/path/access/token.js";
import {
  ask,
  auditOf,
  freshSession,
  join,
  login,
  newEmail,
  PASSWORD,
  personOf,
  post,
  register,
  type Person,
} from "../../support/people/accounts.js";
import { newId } from "../../support/people/tenants.js";
import { send, type Reply, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 secret-part";

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

interface Listed {
  session_id: string;
  workspace_id: string;
  workspace_name: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  device: string | null;
  address: string | null;
  current: boolean;
}

const PATH = "/v1/auth/sessions";
const list = async (token: string): Promise<Listed[]> => {
  const reply = await ask(service, "GET", PATH, token);
  assert.equal(reply.status, 200, reply.text);
  return reply.json["sessions"] as Listed[];
};
const idOf = async (token: string): Promise<string> => {
  const own = (await list(token)).find(({ current }) => current);
  return own?.session_id ?? assert.fail("the asking session is not listed");
};
const end = (token: string, sessionId: string): Promise<Reply> =>
  ask(service, "DELETE", `${PATH}/${sessionId}`, token);
const statusOfMe = async (token: string): Promise<number> =>
  (await ask(service, "GET", "/v1/auth/me", token)).status;
const HOUR_MS = 3_600_000;

describe("AUTH-20: GET /v1/auth/sessions", () => {
  it("lists the person's own living sessions, newest first, and marks the asking one", async () => {
    const owner = await register(service);
    await join(service, owner, "admin");
    const nowMs = Date.now();
    const [older, newer] = [
      await freshSession(service, owner, nowMs - 3 * HOUR_MS),
      await freshSession(service, owner, nowMs - HOUR_MS),
    ];
    const sessions = await list(owner.token);
    const ids = await Promise.all([owner, newer, older].map(({ token }) => idOf(token)));
    assert.deepEqual(
      sessions.map(({ session_id }) => session_id),
      ids,
    );
    assert.deepEqual(
      sessions.filter(({ current }) => current).map(({ session_id }) => session_id),
      ids.slice(0, 1),
    );
    assert.ok(sessions.every((session) => session.workspace_id === owner.workspaceId));
    assert.ok(sessions.every((session) => session.workspace_name === "Shop"));
  });

  it("AUTH-19: one that has ended by itself is not listed, and expires_at is when it would", async () => {
    const owner = await register(service);
    const beganMs = Date.now() - 2 * HOUR_MS;
    await freshSession(service, owner, Date.now() - 12 * HOUR_MS);
    await freshSession(service, owner, beganMs);
    const [listed, ...rest] = (await list(owner.token)).filter(({ current }) => !current);
    assert.deepEqual(rest, []);
    assert.equal(listed?.created_at, new Date(beganMs).toISOString());
    assert.equal(listed.last_seen_at, listed.created_at);
    assert.equal(listed.expires_at, new Date(beganMs + 12 * HOUR_MS).toISOString());
    await service.pool.query("update sessions set created_at = $2 where token_hash = $1", [
      hashToken(owner.token),
      new Date(beganMs - 165 * HOUR_MS),
    ]);
    const own = (await list(owner.token)).find(({ current }) => current);
    assert.equal(own?.expires_at, new Date(beganMs + 3 * HOUR_MS).toISOString());
  });

  it("last_seen_at is the last use, written at most once a minute", async () => {
    const owner = await register(service);
    const usedMs = Date.now() - 30_000;
    const other = await freshSession(service, owner, usedMs);
    assert.equal(await statusOfMe(other.token), 200);
    const seenAt = async (): Promise<string | undefined> =>
      (await list(owner.token)).find(({ current }) => !current)?.last_seen_at;
    assert.equal(await seenAt(), new Date(usedMs).toISOString());
    await service.pool.query(
      "update sessions set last_used_at = last_used_at - interval '1 minute' where token_hash = $1",
      [hashToken(other.token)],
    );
    assert.equal(await statusOfMe(other.token), 200);
    assert.ok(String(await seenAt()) > new Date(usedMs).toISOString());
  });

  it("has a person's sessions in all workspaces", async () => {
    const owner = await register(service);
    const elsewhere = await accepted(await register(service), owner.email);
    assert.deepEqual(
      new Set((await list(owner.token)).map(({ workspace_id }) => workspace_id)),
      new Set([owner.workspaceId, elsewhere.workspaceId]),
    );
  });
});

describe("AUTH-23: where a session signed in", () => {
  it("device and address are those of the sign-in, and nothing submitted is echoed", async () => {
    const owner = await register(service);
    const signedIn = await login(service, owner.email, PASSWORD, { "user-agent": FIREFOX });
    const { token } = personOf(signedIn);
    const [own] = await list(token);
    assert.deepEqual([own?.device, own?.address], ["Firefox on Linux", "127.0.0.1"]);
    const { rows } = await service.pool.query<{ text: string }>("select s::text as text from sessions s");
    assert.ok(rows.every(({ text }) => !text.includes("secret-part")));
  });

  it("a registration and an accepted invitation have them too", async () => {
    const headers = { "user-agent": FIREFOX };
    const registered = await send(service, "POST", "/v1/auth/register", {
      body: { email: newEmail(), password: PASSWORD, workspace_name: "Shop" },
      key: null,
      headers,
    });
    const owner = personOf(registered);
    const member = await accepted(owner, newEmail(), headers);
    for (const { token } of [owner, member]) assert.equal((await list(token))[0]?.device, "Firefox on Linux");
  });

  it("a session without an origin has null in both", async () => {
    const owner = await register(service);
    const [own] = await list((await freshSession(service, owner)).token);
    assert.deepEqual([own?.device, own?.address], [null, null]);
  });

  it("the answer has neither the token nor its hash", async () => {
    const owner = await register(service);
    const { text } = await ask(service, "GET", PATH, owner.token);
    const hash = hashToken(owner.token);
    for (const form of [owner.token, hash.toString("hex"), hash.toString("base64url")])
      assert.ok(!text.includes(form));
  });
});

describe("AUTH-21: DELETE /v1/auth/sessions/:sessionId", () => {
  it("204 ends that session alone, at once; the audit log has it", async () => {
    const owner = await register(service);
    const [one, other] = [await freshSession(service, owner), await freshSession(service, owner)];
    const sessionId = await idOf(one.token);
    const reply = await end(owner.token, sessionId);
    assert.deepEqual([reply.status, reply.text, reply.headers.get("set-cookie")], [204, "", null]);
    assert.deepEqual(
      [await statusOfMe(one.token), await statusOfMe(other.token), await statusOfMe(owner.token)],
      [401, 200, 200],
    );
    assert.deepEqual((await auditOf(service, owner.workspaceId)).at(-1), {
      actor: owner.userId,
      action: "account.session_ended",
      resource: sessionId,
      metadata: {},
    });
  });

  it("404 for a session that is unknown, malformed, ended, expired or another person's, which stays", async () => {
    const [owner, stranger] = [await register(service), await register(service)];
    const colleague = await join(service, owner, "analyst");
    const ended = await freshSession(service, owner);
    const endedId = await idOf(ended.token);
    assert.equal((await end(owner.token, endedId)).status, 204);
    const expiring = await freshSession(service, owner);
    const expiredId = await idOf(expiring.token);
    await service.pool.query("update sessions set created_at = $2 where token_hash = $1", [
      hashToken(expiring.token),
      new Date(Date.now() - 7 * 24 * HOUR_MS),
    ]);
    const foreign = [await idOf(stranger.token), await idOf(colleague.token)];
    for (const sessionId of [newId("ses"), "ses_x", newId("usr"), endedId, expiredId, ...foreign]) {
      const reply = await end(owner.token, sessionId);
      const body = { statusCode: 404, message: "Session not found", error: "Not Found" };
      assert.deepEqual([reply.status, reply.json], [404, body], sessionId);
    }
    assert.deepEqual([await statusOfMe(stranger.token), await statusOfMe(colleague.token)], [200, 200]);
  });

  it("the asking one ends too, and the browser drops its cookie", async () => {
    const owner = await register(service);
    const reply = await end(owner.token, await idOf(owner.token));
    assert.equal(reply.status, 204);
    assert.match(reply.headers.get("set-cookie") ?? "", /^payinference_session=; .*Max-Age=0/);
    assert.equal(await statusOfMe(owner.token), 401);
  });
});

describe("AUTH-22: DELETE /v1/auth/sessions", () => {
  it("204 ends the person's other sessions in all workspaces, and nobody else's", async () => {
    const owner = await register(service);
    const inviting = await register(service);
    const elsewhere = await accepted(inviting, owner.email);
    const [one, other] = [await freshSession(service, owner), await freshSession(service, owner)];
    const reply = await ask(service, "DELETE", PATH, owner.token);
    assert.deepEqual([reply.status, reply.text], [204, ""]);
    for (const { token } of [one, other, elsewhere]) assert.equal(await statusOfMe(token), 401);
    for (const { token } of [owner, inviting]) assert.equal(await statusOfMe(token), 200);
    for (const [workspaceId, sessions] of [
      [owner.workspaceId, 2],
      [inviting.workspaceId, 1],
    ] as const) {
      assert.deepEqual((await auditOf(service, workspaceId)).at(-1), {
        actor: owner.userId,
        action: "account.sessions_ended",
        resource: owner.userId,
        metadata: { sessions },
      });
    }
  });

  it("without other sessions it is 204 too, and no workspace's audit log has it", async () => {
    const owner = await register(service);
    assert.equal((await ask(service, "DELETE", PATH, owner.token)).status, 204);
    assert.ok(
      (await auditOf(service, owner.workspaceId)).every(({ action }) => action !== "account.sessions_ended"),
    );
  });
});

/** Invites the address to the owner's workspace, and accepts the invitation. */
async function accepted(
  owner: Person,
  email: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Person> {
  const invited = await post(service, "/v1/team/invitations", { email, role: "analyst" }, owner.token);
  const reply = await send(service, "POST", "/v1/auth/accept-invitation", {
    body: { token: invited.json["token"], name: "Ada", password: PASSWORD },
    key: null,
    headers,
  });
  assert.equal(reply.status, 201, reply.text);
  return personOf(reply);
}
