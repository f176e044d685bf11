import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  ask,
  auditOf,
  bearer,
  join,
  login,
  newEmail,
  PASSWORD,
  personOf,
  post,
  register,
  type Person,
} from "../../support/people/accounts.js";
import { send, startTestService, type Reply, type RunningService } from "../../support/service/service.js";

const ADMIN = { PLATFORM_ADMIN_EMAIL: "root@pay.example", PLATFORM_ADMIN_PASSWORD: "platform password" };
const CLOSED = {
  statusCode: 403,
  message: "Registration is closed: ask for an invitation",
  error: "Forbidden",
};

const registration = (email = newEmail()) => ({ email, password: PASSWORD, workspace_name: "Shop" });

describe("ACC-10: registration is closed by default, but for the first account", () => {
  it("of ten first registrations at once one succeeds; later ones are refused at any address, and invitations still work", async () => {
    // The platform admin exists before the registrations, because the settings create that account.
    const service = await startTestService({ ...ADMIN, DEMO: "0", AUTH_RATE_LIMIT_PER_MINUTE: "0" });
    const emails = Array.from({ length: 10 }, () => newEmail());
    const replies = await Promise.all(
      emails.map((email) => post(service, "/v1/auth/register", registration(email))),
    );
    const first = replies.filter(({ status }) => status === 201);
    assert.equal(first.length, 1, replies.map(({ status }) => status).join());
    for (const { status, json } of replies) if (status !== 201) assert.deepEqual(json, CLOSED);
    const owner = personOf(first[0] as Reply);
    // Both a new address and an existing one are refused.
    for (const email of [newEmail(), owner.email]) {
      const refused = await post(service, "/v1/auth/register", registration(email));
      assert.deepEqual([refused.status, refused.json], [403, CLOSED]);
    }
    const member = await join(service, owner, "analyst");
    assert.equal(member.workspaceId, owner.workspaceId);
  });

  it("REGISTRATION=closed also holds with the demo, whose owner is the first account", async () => {
    const service = await startTestService({ REGISTRATION: "closed", AUTH_RATE_LIMIT_PER_MINUTE: "0" });
    assert.equal((await post(service, "/v1/auth/register", registration())).status, 403);
  });
});

describe("ADM-9: the platform admin releases an address", () => {
  let service: RunningService;
  let admin: Person;
  before(async () => {
    service = await startTestService({ ...ADMIN, AUTH_RATE_LIMIT_PER_MINUTE: "0" });
    admin = personOf(await login(service, ADMIN.PLATFORM_ADMIN_EMAIL, ADMIN.PLATFORM_ADMIN_PASSWORD));
  });

  const release = (body: object, by: Person = admin): Promise<Reply> =>
    post(service, "/v1/admin/accounts/release", body, by.token);

  it("the squatter loses all access, and the owner of the address accepts their invitation", async () => {
    const victim = newEmail();
    const squatter = await register(service, victim);
    const bank = await register(service);
    const invited = await post(
      service,
      "/v1/team/invitations",
      { email: victim, role: "developer" },
      bank.token,
    );
    const acceptance = {
      token: invited.json["token"],
      name: "Victim",
      password: "the victim's own password",
    };
    assert.equal((await post(service, "/v1/auth/accept-invitation", acceptance)).status, 401);

    const reason = "Registered by somebody else";
    // The comparison ignores case, as in the sign-in.
    const released = await release({ email: victim.toUpperCase(), reason });
    assert.deepEqual([released.status, released.text], [204, ""]);
    assert.equal((await ask(service, "GET", "/v1/auth/me", squatter.token)).status, 401);
    assert.equal((await login(service, victim)).status, 401);
    const accepted = await post(service, "/v1/auth/accept-invitation", acceptance);
    assert.equal(accepted.status, 201, accepted.text);
    assert.equal(personOf(accepted).workspaceId, bank.workspaceId);

    // The squatter's workspace keeps its member, and its audit trail records the release. The administrator's trail
    // does too.
    const workspaces = await ask(service, "GET", "/v1/admin/workspaces", admin.token);
    const ids = (workspaces.json["workspaces"] as { id: string }[]).map(({ id }) => id);
    assert.ok(ids.includes(squatter.workspaceId));
    for (const workspaceId of [squatter.workspaceId, admin.workspaceId]) {
      assert.deepEqual((await auditOf(service, workspaceId)).at(-1), {
        actor: admin.userId,
        action: "account.released",
        resource: squatter.userId,
        metadata: { reason },
      });
    }
    assert.equal((await release({ email: victim, reason })).status, 204, "as often as it takes");
  });

  it("IDEM-10: a release repeated with its key gives the same 204 and releases nothing more", async () => {
    const address = newEmail();
    await register(service, address);
    const body = { email: address, reason: "Registered by somebody else" };
    const keyed = (): Promise<Reply> =>
      send(service, "POST", "/v1/admin/accounts/release", {
        body,
        key: null,
        headers: { ...bearer(admin.token), "idempotency-key": `release of ${address}` },
      });
    assert.equal((await keyed()).status, 204);
    // The next person who registers the address keeps it.
    const next = await register(service, address);
    const again = await keyed();
    assert.deepEqual(
      [again.status, again.text, again.headers.get("idempotency-replayed")],
      [204, "", "true"],
    );
    assert.equal((await ask(service, "GET", "/v1/auth/me", next.token)).status, 200);
  });

  it("403 for everybody else; 404 for an unused address, 409 for the administrator's own, 400 without a reason", async () => {
    const person = await register(service);
    const reason = "Registered by somebody else";
    assert.equal((await release({ email: newEmail(), reason }, person)).status, 403);
    assert.equal((await release({ email: newEmail(), reason })).status, 404);
    assert.equal((await release({ email: ADMIN.PLATFORM_ADMIN_EMAIL, reason })).status, 409);
    assert.equal((await release({ email: person.email })).status, 400);
    assert.equal((await release({ email: person.email, reason: "" })).status, 400);
    assert.equal((await ask(service, "GET", "/v1/auth/me", person.token)).status, 200);
  });
});
