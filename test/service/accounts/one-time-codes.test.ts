import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import {
  ask,
  auditOf,
  freshSession,
  join,
  PASSWORD,
  post,
  register,
  type Person,
} from "../../support/people/accounts.js";
import { authenticatorOf, turnOnCodes } from "../../support/people/one-time-codes.js";
import { newId } from "../../support/people/tenants.js";
import { startTestService, type Reply, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { WEBHOOK_SECRET_KEY } from "../../support/service/webhooks.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";

const PATH = "/v1/auth/one-time-codes";

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

const enrol = ({ token }: Person, current_password = PASSWORD): Promise<Reply> =>
  post(service, PATH, { current_password }, token);
const confirm = ({ token }: Person, code: string): Promise<Reply> =>
  post(service, `${PATH}/confirm`, { code }, token);
const disable = ({ token }: Person, code: string, current_password = PASSWORD): Promise<Reply> =>
  post(service, `${PATH}/disable`, { current_password, code }, token);
const state = async ({ token }: Person): Promise<Record<string, unknown>> =>
  (await ask(service, "GET", PATH, token)).json;
const signIn = ({ email }: Person, code?: string, password = PASSWORD, at = service): Promise<Reply> =>
  post(at, "/v1/auth/login", { email, password, ...(code === undefined ? {} : { code }) });
const resetCodes = (by: Person, userId: string): Promise<Reply> =>
  post(service, `/v1/team/${userId}/reset-one-time-codes`, {}, by.token);

const OFF = { enabled: false, recovery_codes_left: 0 };
const refusal = (statusCode: number, message: string, error: string, code?: string) => ({
  statusCode,
  message,
  error,
  ...(code === undefined ? {} : { code }),
});
const WRONG = "The one-time code is not right, or was used before";
const MISSING = refusal(401, "A one-time code is required", "Unauthorized", "one_time_code_required");
const WRONG_AT_SIGN_IN = refusal(401, WRONG, "Unauthorized", "one_time_code_wrong");
const WRONG_IN_SESSION = refusal(403, WRONG, "Forbidden", "one_time_code_wrong");
/** Six digits that are wrong in every time step that the service accepts. */
const wrongCode = (app: ReturnType<typeof authenticatorOf>): string => {
  const right = new Set([-2, -1, 0, 1, 2].map((by) => app.codeIn(by)));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !right.has(code)) ?? "";
};

describe("ACC-14: POST /v1/auth/one-time-codes", () => {
  it("201 with a secret in two forms; nothing asks for a code yet", async () => {
    const owner = await register(service);
    const { status, json } = await enrol(owner);
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(json), ["secret", "otpauth_uri"]);
    const uri = new URL(String(json["otpauth_uri"]));
    assert.equal(uri.protocol, "otpauth:");
    assert.equal(decodeURIComponent(uri.pathname.split(":").at(-1) ?? ""), owner.email);
    assert.deepEqual(Object.fromEntries(uri.searchParams), {
      secret: json["secret"],
      issuer: "PayInference",
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
    assert.deepEqual(await state(owner), OFF);
    assert.equal((await signIn(owner)).status, 200);
  });

  it("403 for a wrong password, and 409 once they are on", async () => {
    const owner = await register(service);
    assert.deepEqual(
      (await enrol(owner, "not this one")).json,
      refusal(403, "The current password is not right", "Forbidden"),
    );
    await turnOnCodes(service, owner);
    assert.deepEqual((await enrol(owner)).json, refusal(409, "One-time codes are on already", "Conflict"));
  });

  it("a new secret takes the place of one that was not confirmed", async () => {
    const owner = await register(service);
    const first = authenticatorOf(String((await enrol(owner)).json["secret"]));
    const second = authenticatorOf(String((await enrol(owner)).json["secret"]));
    assert.equal((await confirm(owner, await first.nextCode())).status, 403);
    assert.equal((await confirm(owner, await second.nextCode())).status, 200);
  });

  it("503 without SECRET_KEY", ONE_NODE, async () => {
    const keyless = await startTestService();
    const { token } = await register(keyless);
    const { status, json } = await post(keyless, PATH, { current_password: PASSWORD }, token);
    assert.deepEqual([status, json["message"]], [503, "Secrets cannot be stored: SECRET_KEY is not set"]);
  });

  it("the secret is encrypted at rest, and recovery codes are hashed", async () => {
    const owner = await register(service);
    const app = await turnOnCodes(service, owner);
    const { rows } = await service.pool.query<{ text: string; sealed: Buffer }>(
      "select c::text as text, sealed from one_time_codes c where user_id = $1",
      [idToHex(owner.userId)],
    );
    const [row] = rows;
    assert.ok(row !== undefined);
    for (const secret of [app.secret, ...app.recoveryCodes]) {
      assert.ok(!row.text.includes(secret));
      assert.ok(!row.sealed.includes(secret));
    }
  });
});

describe("ACC-15: POST /v1/auth/one-time-codes/confirm", () => {
  it("200 with ten recovery codes turns them on; the audit log has it", async () => {
    const owner = await register(service);
    const app = authenticatorOf(String((await enrol(owner)).json["secret"]));
    const { status, json } = await confirm(owner, await app.nextCode());
    assert.equal(status, 200);
    assert.equal(new Set(json["recovery_codes"] as string[]).size, 10);
    assert.deepEqual(await state(owner), { enabled: true, recovery_codes_left: 10 });
    assert.deepEqual((await auditOf(service, owner.workspaceId)).at(-1), {
      actor: owner.userId,
      action: "account.one_time_codes_enabled",
      resource: owner.userId,
      metadata: {},
    });
  });

  it("403 for a wrong code, and 409 without a secret or once they are on", async () => {
    const owner = await register(service);
    const none = refusal(409, "There is no secret to confirm", "Conflict");
    assert.deepEqual((await confirm(owner, "123456")).json, none);
    const app = authenticatorOf(String((await enrol(owner)).json["secret"]));
    assert.deepEqual((await confirm(owner, wrongCode(app))).json, WRONG_IN_SESSION);
    assert.deepEqual(await state(owner), OFF);
    assert.equal((await confirm(owner, await app.nextCode())).status, 200);
    assert.deepEqual((await confirm(owner, await app.nextCode())).json, none);
  });
});

describe("ACC-16: a sign-in with one-time codes", () => {
  it("401 with a code of its own when the right password comes without a code or with a wrong one", async () => {
    const owner = await register(service);
    const app = await turnOnCodes(service, owner);
    assert.deepEqual((await signIn(owner)).json, MISSING);
    assert.deepEqual((await signIn(owner, wrongCode(app))).json, WRONG_AT_SIGN_IN);
    assert.equal((await signIn(owner, await app.nextCode())).status, 200);
  });

  it("without the password, nobody learns anything about codes", async () => {
    const owner = await register(service);
    const app = await turnOnCodes(service, owner);
    const wrong = refusal(401, "Invalid e-mail address or password", "Unauthorized");
    assert.deepEqual((await signIn(owner, undefined, "not this one")).json, wrong);
    assert.deepEqual((await signIn(owner, app.codeIn(0), "not this one")).json, wrong);
  });

  it("a code that was used is refused, and so is the one that turned them on", async () => {
    const owner = await register(service);
    const app = authenticatorOf(String((await enrol(owner)).json["secret"]));
    const first = await app.nextCode();
    assert.equal((await confirm(owner, first)).status, 200);
    assert.deepEqual((await signIn(owner, first)).json, WRONG_AT_SIGN_IN);
    const second = await app.nextCode();
    const replies = await Promise.all([signIn(owner, second), signIn(owner, second)]);
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 401]));
    assert.deepEqual((await signIn(owner, second)).json, WRONG_AT_SIGN_IN);
  });

  it("a code given by somebody without one-time codes is ignored; 400 for one of five characters", async () => {
    const owner = await register(service);
    assert.equal((await signIn(owner, "123456")).status, 200);
    const { json } = await signIn(owner, "12345");
    const [issue] = json["issues"] as { path: string; code: string }[];
    assert.deepEqual([issue?.path, issue?.code], ["code", "too_small"]);
  });

  it("an invitation is accepted with the account's code, too", async () => {
    const owner = await register(service);
    const guest = await register(service);
    const app = await turnOnCodes(service, guest);
    const invited = await post(
      service,
      "/v1/team/invitations",
      { email: guest.email, role: "analyst" },
      owner.token,
    );
    const accept = (code?: string): Promise<Reply> =>
      post(service, "/v1/auth/accept-invitation", {
        token: invited.json["token"],
        name: "Ada",
        password: PASSWORD,
        ...(code === undefined ? {} : { code }),
      });
    assert.deepEqual((await accept()).json, MISSING);
    assert.deepEqual((await accept(wrongCode(app))).json, WRONG_AT_SIGN_IN);
    assert.equal((await accept(await app.nextCode())).status, 201);
  });

  it("ADM-11: a wrong code is a failed sign-in in the audit log", async () => {
    const owner = await register(service);
    const app = await turnOnCodes(service, owner);
    assert.equal((await signIn(owner, wrongCode(app))).status, 401);
    // The answer does not wait for the audit entry.
    for (;;) {
      const last = (await auditOf(service, owner.workspaceId)).at(-1);
      if (last?.action === "account.sign_in_failed") break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it(
    "RATE-10: wrong codes count like wrong passwords, many at once as one after the other",
    ONE_NODE,
    async () => {
      const limited = await startTestService({
        AUTH_RATE_LIMIT_PER_MINUTE: "1000",
        SECRET_KEY: WEBHOOK_SECRET_KEY,
      });
      const owner = await register(limited);
      const app = await turnOnCodes(limited, owner);
      const guess = async () => (await signIn(owner, wrongCode(app), PASSWORD, limited)).status;
      // At least eleven of 21 guesses are in the same minute, even if the minute changes.
      const statuses = await Promise.all(Array.from({ length: 21 }, guess));
      assert.ok(statuses.filter((status) => status === 401).length <= 20, statuses.join());
      assert.ok(statuses.includes(429), statuses.join());
    },
  );
});

describe("ACC-17: recovery codes", () => {
  it("each signs in once in place of a code, in any case; the audit log has it", async () => {
    const owner = await register(service);
    const { recoveryCodes } = await turnOnCodes(service, owner);
    const [first = "", second = ""] = recoveryCodes;
    assert.equal((await signIn(owner, first)).status, 200);
    assert.ok(
      (await auditOf(service, owner.workspaceId)).some(
        ({ action }) => action === "account.recovery_code_used",
      ),
    );
    assert.deepEqual((await signIn(owner, first)).json, WRONG_AT_SIGN_IN);
    const replies = await Promise.all([signIn(owner, second.toUpperCase()), signIn(owner, second)]);
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 401]));
    assert.deepEqual(await state(owner), { enabled: true, recovery_codes_left: 8 });
  });

  it("another person's is refused", async () => {
    const [owner, other] = [await register(service), await register(service)];
    await turnOnCodes(service, owner);
    const { recoveryCodes } = await turnOnCodes(service, other);
    assert.deepEqual((await signIn(owner, recoveryCodes[0])).json, WRONG_AT_SIGN_IN);
  });
});

describe("ACC-18: POST /v1/auth/one-time-codes/disable", () => {
  it("204 with password and code: a sign-in needs no code any more, and the audit log has it", async () => {
    const owner = await register(service);
    const app = await turnOnCodes(service, owner);
    const reply = await disable(owner, await app.nextCode());
    assert.deepEqual([reply.status, reply.text], [204, ""]);
    assert.deepEqual(await state(owner), OFF);
    assert.equal((await signIn(owner)).status, 200);
    assert.ok(
      (await auditOf(service, owner.workspaceId)).some(
        ({ action }) => action === "account.one_time_codes_disabled",
      ),
    );
  });

  it("a recovery code will do", async () => {
    const owner = await register(service);
    const { recoveryCodes } = await turnOnCodes(service, owner);
    assert.equal((await disable(owner, recoveryCodes[0] ?? "")).status, 204);
  });

  it("403 for a wrong password or code, which stay on; 409 where they are off", async () => {
    const owner = await register(service);
    assert.deepEqual(
      (await disable(owner, "123456")).json,
      refusal(409, "One-time codes are not on", "Conflict"),
    );
    const app = await turnOnCodes(service, owner);
    const unused = await app.nextCode();
    assert.equal((await disable(owner, unused, "not this one")).status, 403);
    assert.deepEqual((await disable(owner, wrongCode(app))).json, WRONG_IN_SESSION);
    assert.deepEqual(await state(owner), { enabled: true, recovery_codes_left: 10 });
  });
});

describe("ACC-19: POST /v1/team/:userId/reset-one-time-codes", () => {
  it("204: the member signs in by the password alone; the audit log has it", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    await turnOnCodes(service, member);
    const reply = await resetCodes(owner, member.userId);
    assert.deepEqual([reply.status, reply.text], [204, ""]);
    assert.deepEqual((await auditOf(service, owner.workspaceId)).at(-1), {
      actor: owner.userId,
      action: "team.one_time_codes_reset",
      resource: member.userId,
      metadata: {},
    });
    assert.equal((await signIn(member)).status, 200);
  });

  it("an admin does it for no owner", async () => {
    const owner = await register(service);
    const admin = await join(service, owner, "admin");
    await turnOnCodes(service, owner);
    assert.equal((await resetCodes(admin, owner.userId)).status, 403);
    assert.deepEqual(await state(owner), { enabled: true, recovery_codes_left: 10 });
  });

  it("409 for oneself, for a member without codes, and for a member of another workspace too; 404 for an unknown person", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    const message = async (userId: string) => (await resetCodes(owner, userId)).json["message"];
    assert.equal(
      await message(owner.userId),
      "Your own one-time codes are turned off with the password and a code",
    );
    assert.equal(await message(member.userId), "The member has no one-time codes");
    assert.equal((await resetCodes(owner, newId("usr"))).status, 404);
    const guest = await register(service);
    await service.pool.query("insert into memberships (workspace_id, user_id, role) values ($1, $2, 3)", [
      idToHex(owner.workspaceId),
      idToHex(guest.userId),
    ]);
    await turnOnCodes(service, guest);
    assert.equal(await message(guest.userId), "These one-time codes open more than this workspace");
    assert.equal((await state({ ...guest, ...(await freshSession(service, guest)) }))["enabled"], true);
  });
});
