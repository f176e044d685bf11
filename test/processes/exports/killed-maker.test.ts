import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { createWorkspace } from "../../support/people/tenants.js";
import {
  exportText,
  holdFiles,
  startExport,
  storeDecisions,
  untilBegun,
  untilStatus,
} from "../../support/service/exports.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { startNode } from "../../support/service/node.js";
import { startTestService, type RunningService } from "../../support/service/service.js";

const ROWS = 1500;

let service: RunningService;
let workspaceId: string;
let owner: Dashboard;
before(async () => {
  service = await startTestService();
  workspaceId = await createWorkspace(service);
  owner = await openDashboard(service, workspaceId);
  await storeDecisions(service.pool, workspaceId, ROWS);
});

describe("EXP-8: kill -9 of the node that makes an export", () => {
  for (const format of ["ndjson", "csv"]) {
    it(`${format}: its next start makes the whole file, with the bytes of one that nothing interrupted`, async () => {
      const held = await holdFiles(service.pool, workspaceId);
      const { id } = await startExport(owner, { format });
      await untilBegun(owner, id);
      const ended = service.killAndRestart();
      // The blocked statement would go on after its client's death, so it is ended here.
      await service.pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'payinference-exports' and datname = current_database()",
      );
      await held.release();
      await ended;
      const done = await untilStatus(owner, id);
      assert.equal(done.rows, ROWS);
      const { text } = await owner.get(`/v1/exports/${id}/file`);
      assert.equal(Buffer.byteLength(text), done.bytes);
      assert.equal(text, await exportText(owner, { format }));
      // If a piece were stored twice, the stored bytes would exceed the file's.
      const { rows } = await service.pool.query<{ bytes: string }>(
        "select sum(raw_bytes) as bytes from export_chunks where workspace_id = (select workspace_id from exports where status = 'done' limit 1)",
      );
      assert.equal(Number(rows[0]?.bytes) % done.bytes, 0);
      for (const one of (await owner.get("/v1/exports")).json["exports"] as { id: string }[]) {
        await owner.request("DELETE", `/v1/exports/${one.id}`);
      }
    });
  }
});

describe("EXP-16: kill -9 of the node that makes an export, which does not come back", () => {
  it("another node makes the whole file once the lease is over", async () => {
    const { url: database } = await createTestDatabase();
    const first = await startNode({ DATABASE_URL: database });
    const shop = await createWorkspace(first);
    await storeDecisions(first.pool, shop, ROWS);
    const held = await holdFiles(first.pool, shop);
    const member = await openDashboard(first, shop);
    const { id } = await startExport(member, { format: "csv" });
    await untilBegun(member, id);
    const other = await startNode({ DATABASE_URL: database, DEMO: "0", REGISTRATION: "open" });
    const { rows: leases } = await other.pool.query<{ leased_by: string }>("select leased_by from exports");
    await first.stop("SIGKILL");
    await other.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'payinference-exports' and datname = current_database()",
    );
    await held.release();
    // Ends the lease, which lasts 30 s, so that the test need not wait.
    await other.pool.query("update exports set leased_until = now() where status = 'running'");
    const reader = await openDashboard(other, shop);
    const done = await untilStatus(reader, id);
    assert.equal(done.rows, ROWS);
    const { text } = await reader.get(`/v1/exports/${id}/file`);
    assert.equal(text, await exportText(reader, { format: "csv" }));
    const { rows } = await other.pool.query<{ leased_by: string; attempts: number }>(
      "select leased_by, attempts from exports order by export_id limit 1",
    );
    assert.ok((rows[0]?.attempts ?? 0) > 1 && rows[0]?.leased_by !== leases[0]?.leased_by);
  });
});
