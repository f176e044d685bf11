import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MODES } from "../../../src/domain/vocabulary/vocabulary.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { leaseExport } from "../../../src/features/exports/queries/lease.js";
import { EXPORT_TUNING } from "../../../src/features/exports/queries/export-tuning.js";
import { ExportMaker } from "../../../src/features/exports/maker/export-maker.js";
import { countUnfinished } from "../../../src/features/exports/queries/unfinished.js";
import { newId } from "../../support/people/tenants.js";
import { NOW_MS } from "../../support/rows/decision-rows.js";
import { SINCE, storeDecisions, UNTIL } from "../../support/service/exports.js";
import { untilPasses } from "../../support/waiting/eventually.js";
import { createTestDatabase, tenantsOf } from "../../support/postgres/postgres.js";

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

const ROWS = 800;

/**
 * Makes the only export of a new workspace with rows. The node's limit on a file's bytes is `fileBytesMax`. `longCalls`
 * counts the pages after which the thread is told that the export is long.
 */
async function madeWithin(fileBytesMax: number, longBytes = Number.MAX_SAFE_INTEGER) {
  const { pool } = await createTestDatabase();
  const [workspaceId, exportId] = [newId("ws"), newId("xpt")];
  await pool.query("insert into workspaces (workspace_id, name) values ($1, 'Shop')", [idToHex(workspaceId)]);
  await storeDecisions(pool, workspaceId, ROWS);
  await pool.query(
    `insert into exports (workspace_id, export_id, created_by, kind, format, mode, since, until, filters)
     values ($1, $2, $3, 'decisions', 'ndjson', $6, $4, $5, '{}')`,
    [...[workspaceId, exportId, newId("usr")].map(idToHex), SINCE, UNTIL, MODES.indexOf("live")],
  );
  const failures: unknown[] = [];
  let longCalls = 0;
  const maker = new ExportMaker({
    pool,
    tenants: tenantsOf(pool),
    nodeId: "node",
    fileBytesMax,
    longBytes,
    onLong: () => longCalls++,
    now: () => NOW_MS,
    onError: (error) => failures.push(error),
  });
  await maker.look();
  const read = async () => {
    const { rows } = await pool.query<{
      status: string;
      error: string | null;
      bytes: string;
      sha256: Buffer;
    }>("select status, error, bytes, sha256 from exports");
    return rows[0];
  };
  await untilPasses(async () => assert.notEqual((await read())?.status, "running"));
  const { rows: chunks } = await pool.query("select from export_chunks");
  assert.deepEqual(failures, []);
  return { made: await read(), chunks: chunks.length, longCalls };
}

describe("EXP-15: a file beyond its limit", () => {
  it("fails as too_large, and nothing of it stays; a file of exactly the limit is whole", async () => {
    const { made, longCalls } = await madeWithin(Number.MAX_SAFE_INTEGER);
    const bytes = Number(made?.bytes);
    assert.deepEqual([made?.status, made?.error], ["done", null]);
    // The file has several pieces, so the export that fails has already stored some.
    assert.ok(bytes > EXPORT_TUNING.chunkBytes);
    const exact = await madeWithin(bytes, EXPORT_TUNING.chunkBytes);
    assert.deepEqual([longCalls, exact.longCalls], [0, 1]);
    assert.deepEqual([exact.made?.status, Number(exact.made?.bytes)], ["done", bytes]);
    const beyond = await madeWithin(bytes - 1);
    assert.deepEqual([beyond.made?.status, beyond.made?.error], ["failed", "too_large"]);
    assert.deepEqual([beyond.made?.sha256, beyond.chunks], [null, 0]);
  });
});
