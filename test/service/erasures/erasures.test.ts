import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { auditOf, ask, post, register, type Person } from "../../support/people/accounts.js";
import { createKey, newId } from "../../support/people/tenants.js";
import { platformAdmin, sharedTestService } from "../../support/service/shared-service.js";
import {
  decisionBody,
  send,
  sendRead,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { untilPasses } from "../../support/waiting/eventually.js";

const PATH = "/v1/admin/erasures";

let service: RunningService;
let admin: Person;
before(async () => {
  service = await sharedTestService();
  admin = await platformAdmin(service);
});

interface Erasure {
  id: string;
  kind: string;
  workspace_id: string;
  merchant_id: string | null;
  status: string;
  requested_by: string;
  finished_at: string | null;
  counts: Record<string, number> | null;
}

const erase = (body: object): Promise<Reply> => post(service, PATH, body, admin.token);

async function accepted(body: object): Promise<Erasure> {
  const { status, json, text } = await erase(body);
  assert.equal(status, 202, text);
  return json["erasure"] as Erasure;
}

async function untilDone(id: string): Promise<Erasure> {
  let erasure: Erasure | undefined;
  await untilPasses(async () => {
    const { json } = await ask(service, "GET", `${PATH}/${id}`, admin.token);
    erasure = json["erasure"] as Erasure;
    assert.equal(erasure.status, "done");
  });
  return erasure as Erasure;
}

const actionsOf = async (workspaceId: string, resource: string): Promise<string[]> =>
  (await auditOf(service, workspaceId))
    .filter((row) => row.resource === resource)
    .map(({ action }) => action)
    .toSorted((a, b) => a.localeCompare(b));

const refusal = ({ status, json }: Reply): unknown[] => [status, json[status === 400 ? "error" : "message"]];

describe("erasures that the platform admin asks for", () => {
  it("RET-19, RET-20, RET-23, ADM-18, ADM-19, ADM-20: a merchant is unknown at once, and its rows leave", async () => {
    const owner = await register(service);
    for (const merchant_id of ["shop", "other"]) {
      assert.equal((await post(service, "/v1/admin/merchants", { merchant_id }, owner.token)).status, 201);
    }
    const key = await createKey(service.pool, owner.workspaceId);
    const decide = (merchant_id: string): Promise<Reply> =>
      send(service, "POST", "/v1/decision", { body: decisionBody({ merchant_id }), key });
    assert.equal((await decide("shop")).status, 200);
    // The test waits until the decision is stored. After the request it would no longer be stored (RET-22).
    assert.equal((await sendRead(service, "GET", "/v1/decisions", { key })).json["total"], 1);
    const wanted = { workspace_id: owner.workspaceId, merchant_id: "shop" };
    const asked = await accepted(wanted);
    assert.equal((await decide("shop")).status, 403);
    assert.equal((await decide("other")).status, 200);
    const { id, requested_by } = asked;
    assert.deepEqual(
      [asked.kind, asked.workspace_id, asked.merchant_id, requested_by, asked.finished_at],
      ["merchant", owner.workspaceId, "shop", admin.userId, null],
    );
    // A second request to erase the same merchant returns the first erasure.
    assert.equal((await accepted(wanted)).id, id);
    const taken = { merchant_id: "shop" };
    assert.deepEqual(refusal(await post(service, "/v1/admin/merchants", taken, owner.token)), [
      409,
      "The merchant of this id was erased",
    ]);
    const { counts, finished_at } = await untilDone(id);
    assert.equal(counts?.["merchants"], 1);
    assert.equal(counts?.["decisions"], 1);
    assert.ok(finished_at !== null);
    for (const workspaceId of [owner.workspaceId, admin.workspaceId]) {
      assert.deepEqual(await actionsOf(workspaceId, id), ["erasure.finished", "erasure.requested"]);
    }
    const proof = (await auditOf(service, admin.workspaceId)).find(
      ({ action, resource }) => action === "erasure.finished" && resource === id,
    );
    assert.deepEqual(proof?.metadata, { workspace_id: owner.workspaceId, merchant_id: "shop", ...counts });
    // The id stays taken, although nothing else of the merchant is left.
    assert.equal((await post(service, "/v1/admin/merchants", taken, owner.token)).status, 409);
    assert.equal((await accepted(wanted)).id, id);
  });

  it("RET-19, ADM-18, ADM-20: a workspace is suspended first, and is never active again", async () => {
    const owner = await register(service);
    const { workspaceId } = owner;
    const wanted = { workspace_id: workspaceId };
    assert.deepEqual(refusal(await erase(wanted)), [409, "Suspend the workspace first"]);
    const turn = (verb: string): Promise<Reply> =>
      post(service, `/v1/admin/workspaces/${workspaceId}/${verb}`, {}, admin.token);
    assert.equal((await turn("suspend")).status, 200);
    const { id, kind } = await accepted(wanted);
    assert.equal(kind, "workspace");
    const refused = await turn("activate");
    // The erasure may be done already.
    assert.ok(
      [`409 The workspace is being erased`, `404 Workspace not found`].includes(refusal(refused).join(" ")),
      refused.text,
    );
    const { counts } = await untilDone(id);
    assert.deepEqual([counts?.["workspaces"], counts?.["users"]], [1, 1]);
    assert.deepEqual(refusal(await turn("activate")), [404, "Workspace not found"]);
    assert.equal((await accepted(wanted)).status, "done");
    assert.equal((await ask(service, "GET", "/v1/auth/me", owner.token)).status, 401);
    assert.deepEqual(await actionsOf(admin.workspaceId, id), ["erasure.finished", "erasure.requested"]);
  });

  it("RET-19: nothing of a workspace that moves is erased, and of one that has moved only all of it", async () => {
    const owner = await register(service);
    const { workspaceId } = owner;
    assert.equal(
      (await post(service, "/v1/admin/merchants", { merchant_id: "shop" }, owner.token)).status,
      201,
    );
    const turn = await post(service, `/v1/admin/workspaces/${workspaceId}/suspend`, {}, admin.token);
    assert.equal(turn.status, 200);
    const ofMerchant = { workspace_id: workspaceId, merchant_id: "shop" };
    for (const step of ["copying", "switched", "arriving", "moved"]) {
      await service.pool.query(
        `insert into workspace_moves (workspace_id, is_leaving, step, cells) values ($1, $2, $3, '{}')
         on conflict (workspace_id) do update set is_leaving = excluded.is_leaving, step = excluded.step`,
        [idToHex(workspaceId), step !== "arriving", step],
      );
      const moving = [409, "The workspace moves to another cell"];
      assert.deepEqual(refusal(await erase(ofMerchant)), moving, step);
      if (step !== "moved") assert.deepEqual(refusal(await erase({ workspace_id: workspaceId })), moving);
    }
    const { counts } = await untilDone((await accepted({ workspace_id: workspaceId })).id);
    assert.equal(counts?.["workspaces"], 1);
  });

  it("RET-19, ADM-18: what nobody has is 404, and what the body does not have is 400", async () => {
    const owner = await register(service);
    const unknown: [object, number, string][] = [
      [{ workspace_id: newId("ws") }, 404, "Workspace not found"],
      [{ workspace_id: newId("ws"), merchant_id: "shop" }, 404, "Workspace not found"],
      [{ workspace_id: owner.workspaceId, merchant_id: "nobody" }, 404, "Merchant not found"],
      [{ workspace_id: owner.workspaceId, subject: "card" }, 400, "validation_error"],
      [{ merchant_id: "shop" }, 400, "validation_error"],
    ];
    for (const [body, ...expected] of unknown) assert.deepEqual(refusal(await erase(body)), expected);
    const missing = await ask(service, "GET", `${PATH}/${newId("ers")}`, admin.token);
    assert.deepEqual(refusal(missing), [404, "Erasure not found"]);
  });
});
