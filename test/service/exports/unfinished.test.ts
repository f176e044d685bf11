import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { leaseExport } from "../../../src/features/exports/queries/lease.js";
import { countUnfinished } from "../../../src/features/exports/queries/unfinished.js";
import { newId } from "../../support/people/tenants.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";

describe("exports that are not finished", () => {
  it("EXP-8: those of a suspended workspace wait until it is active again, and no node looks for them", async () => {
    const { pool } = await createTestDatabase();
    const [workspaceId, exportId] = [newId("ws"), newId("xpt")];
    await pool.query("insert into workspaces (workspace_id, name, status) values ($1, 'Shop', 1)", [
      idToHex(workspaceId),
    ]);
    await pool.query(
      `insert into exports (workspace_id, export_id, created_by, kind, format, mode, since, until, filters)
       values ($1, $2, $3, 'usage', 'csv', 0, now(), now(), '{}')`,
      [workspaceId, exportId, newId("usr")].map(idToHex),
    );
    assert.deepEqual(await countUnfinished(pool, "node"), { waiting: 1, running: 0, isDue: false });
    assert.equal(await leaseExport(pool, "node"), null);
    await pool.query("update workspaces set status = 0");
    assert.deepEqual(await countUnfinished(pool, "node"), { waiting: 1, running: 0, isDue: true });
    assert.equal((await leaseExport(pool, "node"))?.exportId, exportId);
    assert.deepEqual(await countUnfinished(pool, "node"), { waiting: 0, running: 1, isDue: true });
    assert.equal((await countUnfinished(pool, "another")).isDue, false);
  });
});
