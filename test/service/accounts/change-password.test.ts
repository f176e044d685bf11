import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  ask,
  auditOf,
  freshSession,
  login,
  PASSWORD,
  post,
  register,
  type Person,
} from "../../support/people/accounts.js";
import type { Reply, RunningService } from "../../support/service/service.js";
import { startTestService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";

const NEW_PASSWORD = "a longer horse battery";

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

const change = (
  { token }: Person,
  current_password = PASSWORD,
  new_password = NEW_PASSWORD,
  at = service,
): Promise<Reply> => post(at, "/v1/auth/change-password", { current_password, new_password }, token);
const statusOfMe = async (token: string): Promise<number> =>
  (await ask(service, "GET", "/v1/auth/me", token)).status;

describe("ACC-11: POST /v1/auth/change-password", () => {
  it("204: the new password signs in and the old one does not; other sessions end, and the asking one lives on", async () => {
    const owner = await register(service);
    const [other, stranger] = [await freshSession(service, owner), await register(service)];
    const reply = await change(owner);
    assert.deepEqual([reply.status, reply.text], [204, ""]);
    assert.equal(await statusOfMe(owner.token), 200);
    assert.equal(await statusOfMe(other.token), 401);
    assert.equal(await statusOfMe(stranger.token), 200);
    assert.equal((await login(service, owner.email)).status, 401);
    assert.equal((await login(service, owner.email, NEW_PASSWORD)).status, 200);
  });

  it("403 for a wrong current password: nothing is changed, and every session lives on", async () => {
    const owner = await register(service);
    const other = await freshSession(service, owner);
    const reply = await change(owner, "not this one");
    assert.deepEqual(reply.json, {
      statusCode: 403,
      message: "The current password is not right",
      error: "Forbidden",
    });
    assert.equal(await statusOfMe(other.token), 200);
    assert.equal((await login(service, owner.email)).status, 200);
  });

  it("of two changes at once one is made, and its password counts", async () => {
    const owner = await register(service);
    const others = ["the first new password", "the second new password"];
    const replies = await Promise.all(others.map((password) => change(owner, PASSWORD, password)));
    const statuses = replies.map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([204, 403]));
    for (const [index, password] of others.entries())
      assert.equal((await login(service, owner.email, password)).status === 200, statuses[index] === 204);
  });

  it("the audit log of each of the person's workspaces has it, without a password", async () => {
    const owner = await register(service);
    const elsewhere = await register(service);
    const invited = await post(
      service,
      "/v1/team/invitations",
      { email: owner.email, role: "analyst" },
      elsewhere.token,
    );
    const accepted = await post(service, "/v1/auth/accept-invitation", {
      token: invited.json["token"],
      name: "Ada",
      password: PASSWORD,
    });
    assert.equal(accepted.status, 201, accepted.text);
    assert.equal((await change(owner)).status, 204);
    for (const { workspaceId } of [owner, elsewhere]) {
      assert.deepEqual((await auditOf(service, workspaceId)).at(-1), {
        actor: owner.userId,
        action: "account.password_changed",
        resource: owner.userId,
        metadata: {},
      });
    }
    const { rows } = await service.pool.query<{ text: string }>("select a::text as text from audit_log a");
    assert.ok(rows.every(({ text }) => !text.includes(NEW_PASSWORD) && !text.includes(PASSWORD)));
  });

  for (const [what, body, path, code] of [
    [
      "a new password of 11 characters",
      { current_password: "x", new_password: "x".repeat(11) },
      "new_password",
      "too_small",
    ],
    ["no current password", { new_password: NEW_PASSWORD }, "current_password", "invalid_type"],
    [
      "an unknown field",
      { current_password: "x", new_password: NEW_PASSWORD, email: "x" },
      "email",
      "unrecognized_keys",
    ],
  ] as const) {
    it(`400 ${code} for ${what}`, async () => {
      const owner = await register(service);
      const { status, json } = await post(service, "/v1/auth/change-password", body, owner.token);
      const [issue] = json["issues"] as { path: string; code: string }[];
      assert.deepEqual([status, issue?.path, issue?.code], [400, path, code]);
    });
  }

  it(
    "RATE-10: a session has 10 wrong passwords a minute on a node, apart from the person's other sessions",
    ONE_NODE,
    async () => {
      const limited = await startTestService();
      const owner = await register(limited);
      const other = { ...owner, ...(await freshSession(limited, owner)) };
      const guess = async () => (await change(owner, "not this one", NEW_PASSWORD, limited)).status;
      const statuses: number[] = [];
      // At least eleven of 21 successive guesses are in the same minute, even if the minute changes.
      for (let i = 0; i < 21 && statuses.at(-1) !== 429; i++) statuses.push(await guess());
      assert.equal(statuses.at(-1), 429, statuses.join());
      assert.ok(statuses.slice(0, -1).every((status) => status === 403));
      assert.ok(statuses.length > 10, statuses.join());
      assert.equal((await change(other, PASSWORD, NEW_PASSWORD, limited)).status, 204);
    },
  );
});
