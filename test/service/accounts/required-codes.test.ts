import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  ask,
  auditOf,
  join,
  login,
  PASSWORD,
  personOf,
  post,
  register,
  type Person,
} from "../../support/people/accounts.js";
import { turnOnCodes } from "../../support/people/one-time-codes.js";
import { createKey } from "../../support/people/tenants.js";
import { decisionBody, send, type Reply, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

const WORKSPACE = "/v1/admin/workspace";
const MUST_ENROL = {
  statusCode: 403,
  message: "Turn one-time codes on first: this workspace requires them",
  error: "Forbidden",
  code: "must_enrol_codes",
};

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

const require = ({ token }: Person, require_one_time_codes: unknown): Promise<Reply> =>
  send(service, "PATCH", WORKSPACE, {
    key: null,
    headers: { authorization: `Bearer ${token}` },
    body: { require_one_time_codes },
  });
const read = ({ token }: Person, path = WORKSPACE): Promise<Reply> => ask(service, "GET", path, token);
const disable = ({ token }: Person, code: string): Promise<Reply> =>
  post(service, "/v1/auth/one-time-codes/disable", { current_password: PASSWORD, code }, token);

/** Registers an owner with one-time codes. `on` makes the owner's workspace require them. */
async function requiringOwner() {
  const owner = await register(service);
  const app = await turnOnCodes(service, owner);
  return { owner, app, on: async () => assert.equal((await require(owner, true)).status, 200) };
}

async function assertMustEnrol(person: Person): Promise<void> {
  assert.deepEqual((await read(person)).json, MUST_ENROL);
  assert.equal((await read(person, "/v1/auth/me")).json["must_enrol_codes"], true);
}

async function assertOpen(person: Person): Promise<void> {
  assert.equal((await read(person)).status, 200);
  assert.equal("must_enrol_codes" in (await read(person, "/v1/auth/me")).json, false);
}

describe("ACC-35: require_one_time_codes of a workspace", () => {
  it("ACC-35: is false at first, changes with an audit entry, and is shown to all roles", async () => {
    const { owner } = await requiringOwner();
    for (const value of [true, false]) {
      const { status, json } = await require(owner, value);
      assert.equal(status, 200);
      assert.equal((json["workspace"] as Record<string, unknown>)["require_one_time_codes"], value);
      assert.deepEqual((await read(owner)).json, json);
      const entry = (await auditOf(service, owner.workspaceId)).at(-1);
      assert.deepEqual(
        [entry?.actor, entry?.action, entry?.metadata],
        [owner.userId, "workspace.updated", { require_one_time_codes: value ? "on" : "off" }],
      );
    }
    for (const value of [null, 1, "true"]) assert.equal((await require(owner, value)).status, 400);
  });

  it("ACC-35: 409 for somebody without codes of their own, and nothing is changed", async () => {
    const owner = await register(service);
    const enrolling = { current_password: PASSWORD };
    assert.equal((await post(service, "/v1/auth/one-time-codes", enrolling, owner.token)).status, 201);
    const { status, json } = await require(owner, true);
    assert.deepEqual(
      [status, json["message"]],
      [409, "Turn on your own one-time codes before you require them of others"],
    );
    await assertOpen(owner);
    assert.equal((await require(owner, false)).status, 200);
  });
});

describe("AUTH-36: a member without codes, while they are required", () => {
  it("AUTH-36: a session that had begun obeys from its next request until its codes are on", async () => {
    const { owner, on } = await requiringOwner();
    const member = await join(service, owner, "developer");
    await assertOpen(member);
    await on();
    await assertMustEnrol(member);
    await assertOpen(owner);
    const signedIn = await login(service, member.email);
    assert.equal(signedIn.status, 200);
    const again = personOf(signedIn);
    await assertMustEnrol(again);
    await turnOnCodes(service, again);
    await assertOpen(again);
    await assertOpen(member);
  });

  it("AUTH-36: a switch back opens everything again, and other workspaces were never touched", async () => {
    const { owner, on } = await requiringOwner();
    const [member, stranger] = [await join(service, owner, "analyst"), await register(service)];
    await on();
    await assertMustEnrol(member);
    await assertOpen(stranger);
    assert.equal((await require(owner, false)).status, 200);
    await assertOpen(member);
  });

  it("AUTH-37: API keys decide and read as before", async () => {
    const { owner, on } = await requiringOwner();
    const key = await createKey(service.pool, owner.workspaceId);
    await on();
    assert.equal((await send(service, "POST", "/v1/decision", { body: decisionBody(), key })).status, 200);
    assert.equal((await send(service, "GET", "/v1/provider-health", { key })).status, 200);
  });
});

describe("ACC-36: codes that are required", () => {
  it("ACC-36: are not turned off by their person, and the code is not used up by trying", async () => {
    const { owner, app, on } = await requiringOwner();
    await on();
    const code = app.recoveryCodes[0] ?? "";
    const refused = await disable(owner, code);
    assert.deepEqual(
      [refused.status, refused.json["message"]],
      [409, "A workspace of yours requires one-time codes"],
    );
    assert.equal((await require(owner, false)).status, 200);
    assert.equal((await disable(owner, code)).status, 204);
  });

  it("ACC-36: a reset by an owner is not refused: the member enrols again", async () => {
    const { owner, on } = await requiringOwner();
    const member = await join(service, owner, "analyst");
    await turnOnCodes(service, member);
    await on();
    await assertOpen(member);
    const path = `/v1/team/${member.userId}/reset-one-time-codes`;
    assert.equal((await post(service, path, {}, owner.token)).status, 204);
    await assertMustEnrol(personOf(await login(service, member.email)));
  });
});
