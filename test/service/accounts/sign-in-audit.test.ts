import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { auditOf, login, PASSWORD, post, register } from "../../support/people/accounts.js";
import { eventually, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

const signInsOf = async (workspaceId: string): Promise<unknown[]> =>
  (await auditOf(service, workspaceId)).filter(({ action }) => action.startsWith("account.sign"));

describe("ADM-11: sign-ins in the audit log", () => {
  it("a sign-in is in the log of the workspace that it opens, and of no other", async () => {
    const [owner, elsewhere] = [await register(service), await register(service)];
    const invited = await post(
      service,
      "/v1/team/invitations",
      { email: owner.email, role: "analyst" },
      elsewhere.token,
    );
    const acceptance = { token: invited.json["token"], name: "Ada", password: PASSWORD };
    assert.equal((await post(service, "/v1/auth/accept-invitation", acceptance)).status, 201);
    const body = { email: owner.email, password: PASSWORD, workspace_id: owner.workspaceId };
    assert.equal((await post(service, "/v1/auth/login", body)).status, 200);
    assert.deepEqual(await signInsOf(owner.workspaceId), [
      { actor: owner.userId, action: "account.signed_in", resource: owner.userId, metadata: {} },
    ]);
    assert.deepEqual(await signInsOf(elsewhere.workspaceId), []);
  });

  it("a wrong password is in the log of each of the person's workspaces, without the typed text", async () => {
    const [owner, elsewhere] = [await register(service), await register(service)];
    const invited = await post(
      service,
      "/v1/team/invitations",
      { email: owner.email, role: "analyst" },
      elsewhere.token,
    );
    const acceptance = { token: invited.json["token"], name: "Ada", password: PASSWORD };
    assert.equal((await post(service, "/v1/auth/accept-invitation", acceptance)).status, 201);
    assert.equal((await login(service, owner.email, "not this one")).status, 401);
    const failed = {
      actor: owner.userId,
      action: "account.sign_in_failed",
      resource: owner.userId,
      metadata: {},
    };
    for (const { workspaceId } of [owner, elsewhere])
      await eventually(async () => assert.deepEqual(await signInsOf(workspaceId), [failed]));
  });
});
