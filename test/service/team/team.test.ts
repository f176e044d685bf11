import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { ROLES, type Role } from "../../../src/domain/vocabulary/vocabulary.js";
import {
  ask,
  auditOf,
  bearer,
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
import { send, type Reply, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

const ACCEPT = "/v1/auth/accept-invitation";
const INVITATIONS = "/v1/team/invitations";
const conflict = (message: string) => ({ statusCode: 409, message, error: "Conflict" });
const LAST_OWNER = conflict("The last owner of a workspace stays");
const WRONG_ROLE = { statusCode: 403, message: "Your role does not allow this", error: "Forbidden" };
const NO_INVITATION = { statusCode: 404, message: "Invitation not found", error: "Not Found" };

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

const invite = (by: Person, email: string, role: string): Promise<Reply> =>
  post(service, INVITATIONS, { email, role }, by.token);
const accept = (token: unknown, password = PASSWORD): Promise<Reply> =>
  post(service, ACCEPT, { token, name: "Bo", password });
const patch = (by: Person, userId: string, role: Role): Promise<Reply> =>
  send(service, "PATCH", `/v1/team/${userId}`, { body: { role }, key: null, headers: bearer(by.token) });
const remove = (by: Person, userId: string): Promise<Reply> =>
  ask(service, "DELETE", `/v1/team/${userId}`, by.token);
const isSignedIn = async ({ token }: { token: string }): Promise<boolean> =>
  (await ask(service, "GET", "/v1/auth/me", token)).status === 200;
const rolesOf = async (by: Person): Promise<Record<string, string>> => {
  const { json } = await ask(service, "GET", "/v1/team", by.token);
  const members = json["members"] as { user_id: string; role: string }[];
  return Object.fromEntries(members.map(({ user_id, role }) => [user_id, role]));
};

describe("POST /v1/team/invitations", () => {
  it("ACC-6, ACC-7: 201 {invitation, token}; the list shows it, and never the token", async () => {
    const owner = await register(service);
    const email = newEmail();
    const reply = await invite(owner, email, "developer");
    assert.equal(reply.status, 201, reply.text);
    const { invitation, token } = reply.json as { invitation: Record<string, string>; token: string };
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(Object.keys(invitation), ["invitation_id", "email", "role", "created_at", "expires_at"]);
    assert.match(invitation["invitation_id"] ?? "", /^inv_[0-9a-z]{26}$/);
    assert.deepEqual([invitation["email"], invitation["role"]], [email, "developer"]);
    const lifeMs = Date.parse(invitation["expires_at"] ?? "") - Date.parse(invitation["created_at"] ?? "");
    assert.equal(lifeMs, 7 * 86_400_000);
    const list = await ask(service, "GET", "/v1/team", owner.token);
    assert.deepEqual(Object.keys(list.json), ["members", "invitations"]);
    assert.deepEqual(list.json["invitations"], [invitation]);
    assert.ok(!list.text.includes(token));
    const { rows } = await service.pool.query<{ text: string }>("select i::text as text from invitations i");
    assert.ok(rows.every(({ text }) => !text.includes(token)));
  });

  it("400 for an invitation of an owner; only PATCH makes one", async () => {
    const reply = await invite(await register(service), newEmail(), "owner");
    assert.equal(reply.status, 400);
    assert.deepEqual(reply.json["issues"], [
      { path: "role", code: "invalid_enum_value", message: "Must be one of admin, developer, analyst" },
    ]);
  });

  it("409 for the address of a member, in any case", async () => {
    const owner = await register(service);
    const reply = await invite(owner, owner.email.toUpperCase(), "admin");
    assert.deepEqual([reply.status, reply.json], [409, conflict("Is a member of this workspace already")]);
  });

  it("ACC-7: a workspace may have 1000 pending invitations, however many members it has", async () => {
    const owner = await register(service);
    await service.pool.query(
      `insert into invitations (workspace_id, invitation_id, email, role, token_hash, invited_by, expires_at)
       select workspace_id, gen_random_uuid(), n || '@shop.example', 1, decode(repeat('00', 32), 'hex'), user_id,
         now() + interval '1 day'
       from memberships, generate_series(1, 999) n where workspace_id = $1`,
      [idToHex(owner.workspaceId)],
    );
    assert.equal((await invite(owner, newEmail(), "admin")).status, 201);
    const beyond = await invite(owner, newEmail(), "admin");
    assert.deepEqual(
      [beyond.status, beyond.json],
      [409, conflict("Limit of 1000 pending invitations reached")],
    );
  });

  it("ACC-7: an invitation cannot be accepted while the workspace has its 1000 members, and waits", async () => {
    const owner = await register(service);
    const tokens = await Promise.all(
      [newEmail(), newEmail()].map(async (email) => (await invite(owner, email, "admin")).json["token"]),
    );
    await service.pool.query(
      `with crowd as (
         insert into users (user_id, email, name, password_hash)
         select new_ulid(), new_ulid() || '@shop.example', 'Bo', '' from generate_series(1, 998) returning user_id)
       insert into memberships (workspace_id, user_id, role) select $1, user_id, $2 from crowd`,
      [idToHex(owner.workspaceId), ROLES.indexOf("analyst")],
    );
    const [last, beyond] = [await accept(tokens[0]), await accept(tokens[1])];
    assert.equal(last.status, 201, last.text);
    const full = [409, conflict("A workspace has at most 1000 members")];
    assert.deepEqual([beyond.status, beyond.json], full);
    const invited = await invite(owner, newEmail(), "admin");
    assert.deepEqual([invited.status, invited.json], full);
    const { user_id: joined } = last.json["user"] as { user_id: string };
    assert.equal((await remove(owner, joined)).status, 204);
    assert.equal((await accept(tokens[1])).status, 201);
  });

  it("replaces an earlier invitation of the same address", async () => {
    const owner = await register(service);
    const email = newEmail();
    const first = await invite(owner, email, "admin");
    const second = await invite(owner, email.toUpperCase(), "analyst");
    const { json } = await ask(service, "GET", "/v1/team", owner.token);
    assert.equal((json["invitations"] as unknown[]).length, 1);
    assert.deepEqual((await accept(first.json["token"])).json, NO_INVITATION);
    assert.equal((await accept(second.json["token"])).status, 201);
    assert.deepEqual(Object.values(await rolesOf(owner)).toSorted(), ["analyst", "owner"]);
  });
});

describe("POST /v1/auth/accept-invitation", () => {
  it("ACC-5: 201 as register, as a member of the inviting workspace, with the given role", async () => {
    const owner = await register(service);
    const email = newEmail();
    const reply = await accept((await invite(owner, email, "analyst")).json["token"]);
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(Object.keys(reply.json), ["user", "workspace", "session"]);
    const { userId, workspaceId, token } = personOf(reply);
    assert.deepEqual(reply.json["user"], { user_id: userId, email, name: "Bo" });
    assert.equal(workspaceId, owner.workspaceId);
    assert.match(reply.headers.get("set-cookie") ?? "", new RegExp(`^payinference_session=${token};`));
    const { json } = await ask(service, "GET", "/v1/team", token);
    const members = json["members"] as Record<string, unknown>[];
    const member = members.find(({ user_id }) => user_id === userId) ?? {};
    assert.deepEqual(Object.keys(member), [
      "user_id",
      "email",
      "name",
      "role",
      "created_at",
      "last_login_at",
    ]);
    assert.deepEqual([member["email"], member["name"], member["role"]], [email, "Bo", "analyst"]);
    assert.equal(new Date(String(member["last_login_at"])).toISOString(), member["last_login_at"]);
    assert.equal((await login(service, email)).status, 200);
  });

  it("works once: used, expired and invented tokens are equally unknown", async () => {
    const owner = await register(service);
    const { token } = (await invite(owner, newEmail(), "admin")).json;
    assert.equal((await accept(token)).status, 201);
    const expired = await invite(owner, newEmail(), "admin");
    await service.pool.query("update invitations set expires_at = now() where accepted_at is null");
    for (const presented of [token, expired.json["token"], "A".repeat(43), "x"]) {
      const reply = await accept(presented);
      assert.deepEqual([reply.status, reply.json], [404, NO_INVITATION]);
    }
  });

  it("lets one of two concurrent requests join", async () => {
    const owner = await register(service);
    const { token } = (await invite(owner, newEmail(), "admin")).json;
    const replies = await Promise.all([accept(token), accept(token)]);
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.equal(statuses[0], 201);
    // The other request finds the address or the invitation already used.
    assert.ok([401, 404, 409].includes(statuses[1] ?? 0), String(statuses[1]));
    assert.equal(Object.keys(await rolesOf(owner)).length, 2);
  });

  it("ACC-5: an existing user joins with their own password, and belongs to both workspaces", async () => {
    const [owner, known] = await Promise.all([register(service), register(service)]);
    const { token } = (await invite(owner, known.email, "developer")).json;
    const wrong = await accept(token, "a wrong password");
    assert.deepEqual([wrong.status, wrong.json["message"]], [401, "Invalid e-mail address or password"]);
    const right = await accept(token);
    assert.equal(right.status, 201, right.text);
    assert.equal(personOf(right).userId, known.userId);
    assert.deepEqual((right.json["user"] as { name: unknown }).name, null);
    assert.equal(personOf(right).workspaceId, owner.workspaceId);
    // A login leads to the workspace used last, or to the one named in the request.
    assert.equal(personOf(await login(service, known.email)).workspaceId, owner.workspaceId);
    const named = await post(service, "/v1/auth/login", {
      email: known.email,
      password: PASSWORD,
      workspace_id: known.workspaceId,
    });
    assert.equal(personOf(named).workspaceId, known.workspaceId);
    assert.ok(await isSignedIn(known));
    const stranger = await post(service, "/v1/auth/login", {
      email: owner.email,
      password: PASSWORD,
      workspace_id: known.workspaceId,
    });
    assert.deepEqual(
      [stranger.status, stranger.json["message"]],
      [403, "You are not a member of this workspace"],
    );
  });
});

describe("PATCH /v1/team/:userId", () => {
  it("ACC-8: 200 {member}; the member's sessions live on, also in another workspace", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "admin");
    const elsewhere = await register(service);
    const { token } = (await invite(elsewhere, member.email, "analyst")).json;
    const abroad = personOf(await accept(token));
    const reply = await patch(owner, member.userId, "developer");
    assert.equal(reply.status, 200, reply.text);
    const changed = reply.json["member"] as Record<string, unknown>;
    assert.deepEqual([changed["user_id"], changed["role"]], [member.userId, "developer"]);
    assert.deepEqual(await Promise.all([member, owner, abroad].map(isSignedIn)), [true, true, true]);
    assert.equal((await rolesOf(owner))[member.userId], "developer");
    const roleIn = async ({ token }: Person) =>
      (await ask(service, "GET", "/v1/auth/me", token)).json["role"];
    assert.deepEqual(await Promise.all([member, abroad].map(roleIn)), ["developer", "analyst"]);
  });

  it("ACC-8: the sessions have the new role's rights from their next request, up and down", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    const sessions = [member.token, (await freshSession(service, member)).token];
    // One route is for roles, and the other for a scope that some roles have.
    const rights = async () =>
      Promise.all(
        sessions.flatMap((token) => [
          ask(service, "GET", "/v1/api-keys", token),
          ask(service, "POST", "/v1/policies/none/publish", token),
        ]),
      ).then((replies) => replies.map(({ status }) => status));
    assert.deepEqual(await rights(), [403, 403, 403, 403]);
    assert.equal((await patch(owner, member.userId, "developer")).status, 200);
    assert.deepEqual(await rights(), [200, 404, 200, 404]);
    assert.equal((await patch(owner, member.userId, "analyst")).status, 200);
    assert.deepEqual(await rights(), [403, 403, 403, 403]);
  });

  it("ACC-8: one's own sessions live on with the new role as well", async () => {
    const owner = await register(service);
    await join(service, owner, "owner");
    const other = await freshSession(service, owner);
    assert.equal((await patch(owner, owner.userId, "analyst")).status, 200);
    assert.deepEqual(await Promise.all([owner, other].map(isSignedIn)), [true, true]);
    const promoting = await patch({ ...owner, token: other.token }, owner.userId, "owner");
    assert.deepEqual([promoting.status, promoting.json], [403, WRONG_ROLE]);
  });

  it("setting the current role writes no audit row", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    assert.equal((await patch(owner, member.userId, "analyst")).status, 200);
    assert.ok(await isSignedIn(member));
    const actions = (await auditOf(service, owner.workspaceId)).map(({ action }) => action);
    assert.ok(!actions.includes("team.role_changed"));
  });

  it("ACC-8: only an owner can make or demote an owner", async () => {
    const owner = await register(service);
    const [second, admin, analyst] = await Promise.all([
      join(service, owner, "owner"),
      join(service, owner, "admin"),
      join(service, owner, "analyst"),
    ]);
    for (const reply of [
      await patch(admin, analyst.userId, "owner"),
      await patch(admin, admin.userId, "owner"),
      await patch(admin, second.userId, "analyst"),
      await remove(admin, second.userId),
    ]) {
      assert.deepEqual([reply.status, reply.json], [403, WRONG_ROLE]);
    }
    assert.equal((await patch(owner, analyst.userId, "owner")).status, 200);
    assert.equal((await patch(owner, second.userId, "analyst")).status, 200);
    assert.deepEqual(await rolesOf(owner), {
      [owner.userId]: "owner",
      [second.userId]: "analyst",
      [admin.userId]: "admin",
      [analyst.userId]: "owner",
    });
  });
});

describe("the last owner stays (409)", () => {
  it("ACC-9: nobody can demote or remove the last owner", async () => {
    const owner = await register(service);
    const admin = await join(service, owner, "admin");
    for (const reply of [
      await patch(owner, owner.userId, "admin"),
      await remove(owner, owner.userId),
      await patch(admin, owner.userId, "analyst"),
      await remove(admin, owner.userId),
    ]) {
      assert.deepEqual([reply.status, reply.json], [409, LAST_OWNER]);
    }
    assert.equal((await rolesOf(owner))[owner.userId], "owner");
  });

  it("ACC-9: one owner stays when two demote themselves, each other, or leave, at the same time", async () => {
    const attempts: ((a: Person, b: Person) => Promise<Reply>[])[] = [
      (a, b) => [patch(a, a.userId, "admin"), patch(b, b.userId, "admin")],
      (a, b) => [patch(a, b.userId, "admin"), patch(b, a.userId, "admin")],
      (a, b) => [remove(a, a.userId), remove(b, b.userId)],
      (a, b) => [remove(a, b.userId), patch(b, a.userId, "analyst")],
    ];
    for (const attempt of attempts) {
      const a = await register(service);
      const b = await join(service, a, "owner");
      const replies = await Promise.all(attempt(a, b));
      assert.equal(replies.filter(({ status }) => status < 300).length, 1);
      const { rows } = await service.pool.query<{ owners: number }>(
        `select count(*)::int as owners from memberships m join users u on u.user_id = m.user_id
         where m.role = 0 and u.email in ($1, $2)`,
        [a.email, b.email],
      );
      assert.deepEqual(rows, [{ owners: 1 }]);
    }
  });
});

describe("ACC-8: DELETE /v1/team/:userId", () => {
  it("204; every session in the workspace ends, and a login finds no workspace for the member", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "developer");
    const second = await freshSession(service, member);
    const reply = await remove(owner, member.userId);
    assert.deepEqual([reply.status, reply.text], [204, ""]);
    assert.deepEqual(await Promise.all([member, second, owner].map(isSignedIn)), [false, false, true]);
    assert.deepEqual(Object.keys(await rolesOf(owner)), [owner.userId]);
    const back = await login(service, member.email);
    assert.deepEqual([back.status, back.json["message"]], [403, "You are not a member of this workspace"]);
    assert.equal((await remove(owner, member.userId)).status, 404);
  });
});

describe("ADM-5: Audit trail, team changes", () => {
  it("ADM-5: entries have actor, action, resource and metadata, but neither addresses nor tokens", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "admin");
    await patch(owner, member.userId, "analyst");
    await remove(owner, member.userId);
    const trail = await auditOf(service, owner.workspaceId);
    const invitation = trail[1]?.resource ?? "";
    assert.match(invitation, /^inv_/);
    assert.deepEqual(trail.slice(1), [
      { actor: owner.userId, action: "team.invited", resource: invitation, metadata: { role: "admin" } },
      { actor: member.userId, action: "team.joined", resource: invitation, metadata: { role: "admin" } },
      {
        actor: owner.userId,
        action: "team.role_changed",
        resource: member.userId,
        metadata: { from: "admin", to: "analyst" },
      },
      { actor: owner.userId, action: "team.removed", resource: member.userId, metadata: { role: "analyst" } },
    ]);
    assert.ok(!JSON.stringify(trail).includes("@"));
  });
});
