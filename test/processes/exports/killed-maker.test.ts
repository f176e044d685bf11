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
      // The statement that waits would outlive its client.
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
      // What was stored twice would be in the file twice.
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
