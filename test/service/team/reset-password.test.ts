import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { createPasswordResets } from "../../../src/features/team/password-resets.js";
import type { Principal } from "../../../src/path/access/session.js";
import type { Role } from "../../../src/domain/vocabulary/vocabulary.js";
import {
  ask,
  auditOf,
  bearer,
  freshSession,
  join,
  login,
  PASSWORD,
  post,
  register,
  type Person,
} from "../../support/people/accounts.js";
import { newId } from "../../support/people/tenants.js";
import { send, type Reply, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

const NEW_PASSWORD = "a longer horse battery";
const HOUR_MS = 3_600_000;
const NOT_FOUND = { statusCode: 404, message: "Password reset not found", error: "Not Found" };

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

const request = (by: Person, userId: string): Promise<Reply> =>
  ask(service, "POST", `/v1/team/${userId}/reset-password`, by.token);
const redeem = (token: unknown, new_password = NEW_PASSWORD): Promise<Reply> =>
  post(service, "/v1/auth/reset-password", { token, new_password });
const tokenOf = async (by: Person, userId: string): Promise<string> => {
  const reply = await request(by, userId);
  assert.equal(reply.status, 201, reply.text);
  return String(reply.json["token"]);
};
const isSignedIn = async (token: string): Promise<boolean> =>
  (await ask(service, "GET", "/v1/auth/me", token)).status === 200;
const changeRole = (by: Person, userId: string, role: Role): Promise<Reply> =>
  send(service, "PATCH", `/v1/team/${userId}`, { body: { role }, key: null, headers: bearer(by.token) });

describe("POST /v1/team/:userId/reset-password, POST /v1/auth/reset-password", () => {
  it("ACC-12, ACC-13: the member sets a new password by the token, and all of their sessions end", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "developer");
    const other = await freshSession(service, member);
    const beforeMs = Date.now();
    const reply = await request(owner, member.userId);
    const afterMs = Date.now();
    assert.equal(reply.status, 201, reply.text);
    const { token, expires_at } = reply.json as { token: string; expires_at: string };
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    const expiresMs = Date.parse(expires_at);
    assert.ok(expiresMs >= beforeMs + HOUR_MS && expiresMs <= afterMs + HOUR_MS, expires_at);
    // Nothing changes until the token is used.
    assert.equal((await login(service, member.email)).status, 200);
    assert.ok(await isSignedIn(member.token));

    const redeemed = await redeem(token);
    assert.deepEqual([redeemed.status, redeemed.text], [204, ""]);
    for (const ended of [member.token, other.token]) assert.equal(await isSignedIn(ended), false);
    assert.equal((await login(service, member.email)).status, 401);
    assert.equal((await login(service, member.email, NEW_PASSWORD)).status, 200);
    assert.ok(await isSignedIn(owner.token));
  });

  it("ACC-13: a token works once, also when it is shown twice at once", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    const token = await tokenOf(owner, member.userId);
    const replies = await Promise.all([redeem(token), redeem(token)]);
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([204, 404]));
    assert.deepEqual((await redeem(token)).json, NOT_FOUND);
  });

  it("ACC-12: a newer token ends the earlier one; a token that nobody has is 404", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    const [first, second] = [await tokenOf(owner, member.userId), await tokenOf(owner, member.userId)];
    for (const token of [first, "A".repeat(43), "nonsense"])
      assert.deepEqual((await redeem(token)).json, NOT_FOUND);
    assert.equal((await redeem(second)).status, 204);
  });

  it("ACC-12: an owner does it for everybody, an admin for everybody but an owner, and nobody for themselves", async () => {
    const owner = await register(service);
    const [second, admin, developer] = [
      await join(service, owner, "owner"),
      await join(service, owner, "admin"),
      await join(service, owner, "developer"),
    ];
    for (const [by, userId, status] of [
      [owner, second.userId, 201],
      [owner, admin.userId, 201],
      [admin, developer.userId, 201],
      [admin, owner.userId, 403],
      [developer, admin.userId, 403],
      [owner, owner.userId, 409],
      [admin, admin.userId, 409],
      [owner, newId("usr"), 404],
    ] as const) {
      const reply = await request(by, userId);
      assert.equal(reply.status, status, reply.text);
    }
  });

  it("ACC-13: a token ends when its author or its member changes roles so that it could not be asked for again", async () => {
    const owner = await register(service);
    const [admin, developer, promoted] = [
      await join(service, owner, "admin"),
      await join(service, owner, "developer"),
      await join(service, owner, "admin"),
    ];
    const ofPromoted = await tokenOf(admin, promoted.userId);
    assert.equal((await changeRole(owner, promoted.userId, "owner")).status, 200);
    assert.deepEqual((await redeem(ofPromoted)).json, NOT_FOUND);
    const ofDemoted = await tokenOf(admin, developer.userId);
    assert.equal((await changeRole(owner, admin.userId, "developer")).status, 200);
    assert.deepEqual((await redeem(ofDemoted)).json, NOT_FOUND);
    const ofRemoved = await tokenOf(owner, developer.userId);
    assert.equal((await ask(service, "DELETE", `/v1/team/${developer.userId}`, owner.token)).status, 204);
    assert.deepEqual((await redeem(ofRemoved)).json, NOT_FOUND);
  });

  it("ACC-12, ACC-13: a password that opens another workspace is not reset here, nor by a token from before", async () => {
    const [owner, elsewhere] = [await register(service), await register(service)];
    const member = await join(service, owner, "developer");
    const token = await tokenOf(owner, member.userId);
    const invited = await post(
      service,
      "/v1/team/invitations",
      { email: member.email, role: "analyst" },
      elsewhere.token,
    );
    const acceptance = { token: invited.json["token"], name: "Ada", password: PASSWORD };
    assert.equal((await post(service, "/v1/auth/accept-invitation", acceptance)).status, 201);
    assert.deepEqual((await redeem(token)).json, NOT_FOUND);
    const refused = await request(owner, member.userId);
    assert.deepEqual(
      [refused.status, refused.json["message"]],
      [409, "This password opens more than this workspace"],
    );
    assert.equal((await login(service, member.email)).status, 200);
  });

  it("ACC-12: a token ends after an hour", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    const clock = { nowMs: Date.now() };
    const resets = createPasswordResets({
      pool: service.pool,
      attempt: (work) => work(),
      passwords: {
        hash: () => Promise.resolve({ passwordHash: "x" }),
        isRight: () => Promise.resolve(false),
        tryCode: () => Promise.resolve(false),
      },
      mailbox: null,
      cell: null,
      nextId: () => newId("aud").slice("aud_".length),
      now: () => clock.nowMs,
    });
    const by: Principal = {
      sessionKey: "session",
      userId: owner.userId,
      workspaceId: owner.workspaceId,
      role: "owner",
      workspaceStatus: "active",
      isPlatformAdmin: false,
      mustEnrolCodes: false,
    };
    const made = await resets.request(by, member.userId);
    assert.ok(typeof made === "object" && made.token !== null);
    const showing = { source: "test", presentedToken: null, device: null };
    clock.nowMs += HOUR_MS;
    assert.equal(await resets.redeem(made.token, NEW_PASSWORD, showing), "unknown");
    clock.nowMs -= 1;
    assert.equal(await resets.redeem(made.token, NEW_PASSWORD, showing), "reset");
  });

  it("ACC-12, ACC-13: both are in the audit log, and the token is stored nowhere", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    const token = await tokenOf(owner, member.userId);
    const { rows } = await service.pool.query<{ text: string }>(
      "select a::text as text from audit_log a union all select r::text from password_resets r",
    );
    assert.ok(rows.every(({ text }) => !text.includes(token)));
    assert.equal((await redeem(token)).status, 204);
    assert.deepEqual((await auditOf(service, owner.workspaceId)).slice(-2), [
      {
        actor: owner.userId,
        action: "team.password_reset_requested",
        resource: member.userId,
        metadata: {},
      },
      {
        actor: member.userId,
        action: "account.password_reset",
        resource: member.userId,
        metadata: { requested_by: owner.userId },
      },
    ]);
  });
});
