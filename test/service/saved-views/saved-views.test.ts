import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { ROLES } from "../../../src/domain/vocabulary/vocabulary.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { auditOf } from "../../support/people/accounts.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { createWorkspace } from "../../support/people/tenants.js";
import type { Reply, RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

const PATH = "/v1/saved-views";
const VIEW = { name: "Germany", page: "analytics", query: "range=7d&country=DE" };

interface View {
  id: string;
  name: string;
  page: string;
  query: string;
  is_shared: boolean;
  owner: string;
}

let service: RunningService;
let workspaceId: string;
before(async () => {
  service = await sharedTestService();
  workspaceId = await createWorkspace(service);
});

const viewOf = ({ json, text }: Reply): View => {
  assert.ok(json["saved_view"] !== undefined, text);
  return json["saved_view"] as View;
};
async function idsOf(by: Dashboard, query = ""): Promise<string[]> {
  const { status, json, text } = await by.get(PATH + query);
  assert.equal(status, 200, text);
  return (json["saved_views"] as View[]).map(({ id }) => id);
}
const save = async (by: Dashboard, more: object = {}): Promise<View> =>
  viewOf(await by.request("POST", PATH, { ...VIEW, ...more }));

describe("saved views", () => {
  for (const role of ROLES) {
    it(`ANA-10: ${role} keeps views of their own`, async () => {
      const person = await openDashboard(service, workspaceId, role);
      const { id, owner, ...kept } = await save(person);
      assert.equal(owner, person.userId);
      assert.deepEqual(
        { ...kept, created_at: null, updated_at: null },
        {
          ...VIEW,
          is_shared: false,
          created_at: null,
          updated_at: null,
        },
      );
      assert.deepEqual(await idsOf(person), [id]);
      const renamed = viewOf(await person.request("PATCH", `${PATH}/${id}`, { name: "Deutschland" }));
      assert.deepEqual([renamed.name, renamed.query], ["Deutschland", VIEW.query]);
      assert.equal((await person.request("DELETE", `${PATH}/${id}`)).status, 204);
      assert.deepEqual(await idsOf(person), []);
    });
  }

  it("ANA-11: lists own and shared ones, newest first, of one page, with cursors", async () => {
    const fresh = await createWorkspace(service);
    const [mine, theirs] = [
      await openDashboard(service, fresh, "developer"),
      await openDashboard(service, fresh, "analyst"),
    ];
    const own = await save(mine, { page: "decisions" });
    const hidden = await save(theirs);
    const shared = await save(theirs, { is_shared: true });
    assert.deepEqual(await idsOf(mine), [shared.id, own.id]);
    assert.deepEqual(await idsOf(theirs), [shared.id, hidden.id]);
    assert.deepEqual(await idsOf(mine, "?page=decisions"), [own.id]);
    assert.deepEqual(await idsOf(mine, `?page_size=1&starting_after=${shared.id}`), [own.id]);
    assert.deepEqual(await idsOf(mine, `?ending_before=${own.id}`), [shared.id]);
    // LIST-3: another member's own view cannot be a cursor.
    assert.deepEqual(await idsOf(mine, `?starting_after=${hidden.id}`), []);
    assert.equal((await mine.get(`${PATH}?page=overview`)).status, 400);
    assert.equal((await mine.get(`${PATH}?range=7d`)).status, 400);
  });

  it("ANA-12: a shared view is changed by its owner and by leaders, and each change is audited", async () => {
    const fresh = await createWorkspace(service);
    const people = { owner: await openDashboard(service, fresh, "analyst") };
    const [colleague, admin] = [
      await openDashboard(service, fresh, "developer"),
      await openDashboard(service, fresh, "admin"),
    ];
    const { id } = await save(people.owner);
    const rename = (by: Dashboard): Promise<Reply> => by.request("PATCH", `${PATH}/${id}`, { name: "Ours" });
    for (const by of [colleague, admin]) {
      assert.equal((await rename(by)).status, 404);
      assert.equal((await by.request("DELETE", `${PATH}/${id}`)).status, 404);
    }
    await people.owner.request("PATCH", `${PATH}/${id}`, { is_shared: true });
    assert.equal((await rename(colleague)).status, 403);
    assert.equal((await colleague.request("DELETE", `${PATH}/${id}`)).status, 403);
    assert.equal(viewOf(await rename(admin)).owner, people.owner.userId);
    assert.equal((await admin.request("DELETE", `${PATH}/${id}`)).status, 204);
    const trail = (await auditOf(service, fresh)).filter(({ resource }) => resource === id);
    assert.deepEqual(
      trail.map(({ actor, action, metadata }) => [actor, action, metadata["is_shared"]]),
      [
        [people.owner.userId, "saved_view.created", "false"],
        [people.owner.userId, "saved_view.updated", "true"],
        [admin.userId, "saved_view.updated", "true"],
        [admin.userId, "saved_view.deleted", "true"],
      ],
    );
  });

  it("ANA-10: a person has a limit, and views go with the membership", async () => {
    const fresh = await createWorkspace(service);
    const [person, colleague] = [
      await openDashboard(service, fresh, "analyst"),
      await openDashboard(service, fresh, "owner"),
    ];
    await save(person, { is_shared: true });
    await service.pool.query(
      `insert into saved_views (workspace_id, view_id, owner, name, page, query, is_shared)
       select $1, gen_random_uuid(), $2, 'One', 'decisions', '', true from generate_series(2, $3)`,
      [idToHex(fresh), idToHex(person.userId), LIMITS.savedViewsMax],
    );
    const full = await person.request("POST", PATH, VIEW);
    assert.deepEqual([full.status, full.json["message"]], [409, "Limit of 100 saved views per user reached"]);
    await save(colleague);
    assert.equal((await colleague.request("DELETE", `/v1/team/${person.userId}`)).status, 204);
    assert.equal((await idsOf(colleague, "?page_size=100")).length, 1);
  });
});
