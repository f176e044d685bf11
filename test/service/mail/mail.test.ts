import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sweepMails } from "../../../src/features/mail/queries/mail.js";
import { ask, auditOf, login, newEmail, PASSWORD, post, register } from "../../support/people/accounts.js";
import { expositionOf } from "../../support/service/exposition.js";
import {
  lettersOf,
  linkIn,
  mailSettings,
  makeDue,
  startMailServer,
  tokenIn,
  type MailServer,
  type Taken,
} from "../../support/service/letters.js";
import { eventually, startTestService, type RunningService } from "../../support/service/service.js";

const NEW_PASSWORD = "another horse battery";

let server: MailServer;
let service: RunningService;
before(async () => {
  server = await startMailServer();
  service = await startTestService({ ...mailSettings(server.url), AUTH_RATE_LIMIT_PER_MINUTE: "0" });
});
after(() => server.close());

/** Waits for `count` letters to an address. A `subject` leaves out the letters that prove a registration. */
const lettersTo = (email: string, count = 1, subject = ""): Promise<Taken[]> =>
  eventually(async () => {
    const found = server.taken.filter(({ to, text }) => to === email && text.includes(`Subject: ${subject}`));
    assert.equal(found.length, count);
    return found;
  });
const first = ([letter]: Taken[]): Taken => letter ?? assert.fail("no letter");

describe("ACC-27: tokens go by mail", () => {
  it("an invitation's answer has no token, and the letter's link accepts it", async () => {
    const owner = await register(service);
    const email = newEmail();
    const invited = await post(service, "/v1/team/invitations", { email, role: "analyst" }, owner.token);
    assert.deepEqual([invited.status, Object.keys(invited.json)], [201, ["invitation"]]);
    const letter = first(await lettersTo(email));
    const link = linkIn(letter);
    assert.equal(link.origin + link.pathname, "https://pay.shop.example/dashboard/accept-invitation");
    assert.match(letter.text, /^From: PayInference <pay@shop\.example>$/m);
    assert.ok(letter.text.includes(owner.email));
    const acceptance = { token: tokenIn(letter), name: "Bo", password: PASSWORD };
    assert.equal((await post(service, "/v1/auth/accept-invitation", acceptance)).status, 201);
  });

  it("a member's new password is set by the letter's link, and its author gets no token", async () => {
    const owner = await register(service);
    const member = await joinByMail(owner.token);
    const reset = await ask(service, "POST", `/v1/team/${member.userId}/reset-password`, owner.token);
    assert.deepEqual([reset.status, Object.keys(reset.json)], [201, ["expires_at"]]);
    const letter = first(await lettersTo(member.email, 1, "Set a new password"));
    const body = { token: tokenIn(letter), new_password: NEW_PASSWORD };
    assert.equal((await post(service, "/v1/auth/reset-password", body)).status, 204);
    assert.equal((await login(service, member.email, NEW_PASSWORD)).status, 200);
  });

  it("ACC-28: a token is in its letter alone, and sealed until that is sent", async () => {
    const email = newEmail();
    await register(service, email);
    const token = tokenIn(first(await lettersTo(email)));
    for (const table of ["mails", "email_tokens", "audit_log"]) {
      const { rows } = await service.pool.query<{ text: string }>(`select t::text as text from ${table} t`);
      assert.ok(
        rows.every(({ text }) => !text.includes(token) && !text.includes(Buffer.from(token).toString("hex"))),
      );
    }
    await eventually(async () =>
      assert.deepEqual(await lettersOf(service.pool, email), [{ status: "sent", sealed: false }]),
    );
  });
});

describe("ACC-29: a letter is sent again until it is taken", () => {
  it("a mail server that refuses once gets it again, with the same Message-ID and the same token", async () => {
    const email = newEmail();
    server.refuseNext(451);
    await register(service, email);
    await eventually(async () => assert.ok(server.refused.includes(email)));
    assert.deepEqual(await lettersOf(service.pool, email), [{ status: "waiting", sealed: true }]);
    assert.equal((await sweepMails(service.pool)).waiting >= 1, true);
    await makeDue(service.pool);
    const letter = first(await lettersTo(email));
    assert.match(letter.messageId, /^<[0-9a-f]{32}@pay\.shop\.example>$/);
    const proved = await post(service, "/v1/auth/email/prove", { token: tokenIn(letter) });
    assert.equal(proved.status, 204);
  });

  it("ACC-34: a recipient that is refused for good has failed at once, and a metric counts it", async () => {
    const email = newEmail();
    const before = (await sweepMails(service.pool)).failed;
    server.refuseNext(550);
    await register(service, email);
    await eventually(async () =>
      assert.deepEqual(await lettersOf(service.pool, email), [{ status: "failed", sealed: false }]),
    );
    assert.equal((await sweepMails(service.pool)).failed, before + 1);
    const metrics = await expositionOf(service);
    for (const name of ["payinference_mails_waiting", "payinference_mails_failed"]) {
      assert.ok(metrics.includes(name), name);
    }
  });

  it("one that ran out of attempts has failed, and its token is gone", async () => {
    const email = newEmail();
    server.refuseNext(451);
    await register(service, email);
    await eventually(async () => assert.ok(server.refused.includes(email)));
    await service.pool.query("update mails set attempts = 10, next_try_at = now() where recipient = $1", [
      email,
    ]);
    await eventually(async () =>
      assert.deepEqual(await lettersOf(service.pool, email), [{ status: "failed", sealed: false }]),
    );
    assert.deepEqual(
      server.taken.filter(({ to }) => to === email),
      [],
    );
  });
});

describe("ACC-30: POST /v1/auth/forgot-password", () => {
  const forgot = (email: string) => post(service, "/v1/auth/forgot-password", { email });

  it("202 for every address; an account gets a letter, at the address as it was registered", async () => {
    const owner = await register(service);
    const nobody = newEmail();
    const [known, unknown] = [await forgot(owner.email.toUpperCase()), await forgot(nobody)];
    assert.deepEqual([known.status, known.text], [202, unknown.text]);
    assert.equal(unknown.status, 202);
    const letter = first(await lettersTo(owner.email, 1, "Set a new password"));
    await eventually(async () => assert.deepEqual(await lettersOf(service.pool, nobody), []));
    assert.deepEqual(
      server.taken.filter(({ to }) => to === nobody),
      [],
    );
    const body = { token: tokenIn(letter), new_password: NEW_PASSWORD };
    assert.equal((await post(service, "/v1/auth/reset-password", body)).status, 204);
    assert.equal((await post(service, "/v1/auth/reset-password", body)).status, 404);
    assert.equal((await ask(service, "GET", "/v1/auth/me", owner.token)).status, 401);
    const signedIn = await login(service, owner.email, NEW_PASSWORD);
    assert.equal(signedIn.status, 200);
    const actions = (await auditOf(service, owner.workspaceId)).map(({ action }) => action);
    assert.ok(actions.includes("account.password_reset") && actions.includes("account.email_verified"));
  });

  it("a person who repeats the request within a minute gets no second letter", async () => {
    const owner = await register(service);
    await forgot(owner.email);
    await lettersTo(owner.email, 1, "Set a new password");
    await eventually(async () =>
      assert.deepEqual(
        (await lettersOf(service.pool, owner.email)).map(({ status }) => status),
        ["sent", "sent"],
      ),
    );
    await forgot(owner.email);
    // The letter is dropped, so only the two earlier ones remain.
    await eventually(async () => assert.equal((await lettersOf(service.pool, owner.email)).length, 2));
    assert.equal((await lettersTo(owner.email, 1, "Set a new password")).length, 1);
  });
});

describe("ACC-31, ACC-32, ACC-33: proof of an address", () => {
  it("the letter of a registration proves it once; the account says when, and the audit log has it", async () => {
    const owner = await register(service);
    const read = async () => (await ask(service, "GET", "/v1/auth/email", owner.token)).json;
    assert.deepEqual(await read(), { email: owner.email, verified_at: null, mail: true });
    const again = await ask(service, "POST", "/v1/auth/email/send-proof", owner.token);
    assert.deepEqual(
      [again.status, again.json["message"]],
      [409, "A letter was sent less than a minute ago"],
    );
    const token = tokenIn(first(await lettersTo(owner.email)));
    assert.equal((await post(service, "/v1/auth/email/prove", { token })).status, 204);
    assert.equal((await post(service, "/v1/auth/email/prove", { token })).status, 404);
    assert.equal(typeof (await read())["verified_at"], "string");
    const audit = await auditOf(service, owner.workspaceId);
    assert.equal(audit.filter(({ action }) => action === "account.email_verified").length, 1);
    const proved = await ask(service, "POST", "/v1/auth/email/send-proof", owner.token);
    assert.deepEqual([proved.status, proved.json["message"]], [409, "The address is proved already"]);
  });

  it("a later letter ends the token of the one before; one of an address given up proves nothing", async () => {
    const owner = await register(service);
    const old = tokenIn(first(await lettersTo(owner.email)));
    await service.pool.query("update email_tokens set created_at = created_at - interval '1 minute'");
    assert.equal((await ask(service, "POST", "/v1/auth/email/send-proof", owner.token)).status, 202);
    const [, second] = await lettersTo(owner.email, 2);
    assert.equal((await post(service, "/v1/auth/email/prove", { token: old })).status, 404);
    await service.pool.query("update users set email = $1 where email = $2", [newEmail(), owner.email]);
    const token = tokenIn(second ?? assert.fail());
    assert.equal((await post(service, "/v1/auth/email/prove", { token })).status, 404);
  });
});

/** Joins a workspace by the token in an invitation's letter. */
async function joinByMail(ownerToken: string): Promise<{ email: string; userId: string }> {
  const email = newEmail();
  await post(service, "/v1/team/invitations", { email, role: "analyst" }, ownerToken);
  const token = tokenIn(first(await lettersTo(email)));
  const { json } = await post(service, "/v1/auth/accept-invitation", {
    token,
    name: "Bo",
    password: PASSWORD,
  });
  return { email, userId: (json["user"] as { user_id: string }).user_id };
}
