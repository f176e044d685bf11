import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToUuid } from "../../../src/domain/ids/ids.js";
import { login, personOf, post, ask, type Person } from "../../support/people/accounts.js";
import { createWorkspace, setWorkspaceStatus } from "../../support/people/tenants.js";
import { storeDecisions } from "../../support/service/exports.js";
import { startTestService, type RunningService } from "../../support/service/service.js";
import { untilPasses } from "../../support/waiting/eventually.js";
import { PROOF } from "../../support/rows/erasures.js";
import { rowsOfOthers, tablesWith } from "../../support/rows/every-table.js";

const ROWS = 6000;
const ADMIN = { PLATFORM_ADMIN_EMAIL: "root@pay.example", PLATFORM_ADMIN_PASSWORD: "platform password" };

let service: RunningService;
before(async () => {
  service = await startTestService({ ...ADMIN, PROBE_INTERVAL_MS: "0" });
});

const signIn = async (): Promise<Person> =>
  personOf(await login(service, ADMIN.PLATFORM_ADMIN_EMAIL, ADMIN.PLATFORM_ADMIN_PASSWORD));

async function until(state: string): Promise<void> {
  await untilPasses(async () => {
    const { rows } = await service.pool.query(`select ${state} as reached from erasures`);
    assert.equal(rows[0].reached, true);
  });
}

describe("an erasure across kill -9", () => {
  it("RET-22: it goes on from where it was, counts every row once, and takes no other row", async () => {
    const [erased, kept] = [await createWorkspace(service), await createWorkspace(service)];
    await storeDecisions(service.pool, erased, ROWS);
    await storeDecisions(service.pool, kept, 50);
    await setWorkspaceStatus(service.pool, erased, "suspended");
    const uuid = idToUuid(erased);
    const stored = async (table: string): Promise<number> => {
      const { rowCount } = await service.pool.query(`select from ${table} where workspace_id = $1`, [uuid]);
      return rowCount ?? 0;
    };
    const decisions = await stored("decisions");
    const segments = await stored("decision_segments");
    const others = await rowsOfOthers(service.pool, uuid);
    const asked = await post(service, "/v1/admin/erasures", { workspace_id: erased }, (await signIn()).token);
    assert.equal(asked.status, 202, asked.text);
    await service.killAndRestart();
    // The next kill is in the middle of the decisions, and the last one between the last table and the end.
    await until("coalesce((counts ->> 'decisions')::int, 0) > 0");
    await service.killAndRestart();
    await until("counts ? 'workspaces'");
    await service.killAndRestart();
    await until("status = 'done'");
    const { token } = await signIn();
    const { json } = await ask(service, "GET", "/v1/admin/erasures", token);
    const [{ counts }] = json["erasures"] as [{ counts: Record<string, number> }];
    assert.deepEqual([counts["decisions"], counts["decision_segments"]], [decisions, segments]);
    assert.equal(counts["workspaces"], 1);
    assert.deepEqual(await tablesWith(service.pool, [uuid, erased]), PROOF);
    const left = await rowsOfOthers(service.pool, uuid);
    for (const table of [
      "decisions",
      "decision_segments",
      "merchants",
      "policies",
      "api_keys",
      "rollup_totals",
    ]) {
      assert.equal(left[table], others[table], table);
    }
  });
});
