import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { idToHex, idToUuid } from "../../../src/domain/ids/ids.js";
import { MODES } from "../../../src/domain/vocabulary/vocabulary.js";
import { listWorkspaceIds } from "../../../src/features/accounts/service.js";
import { dropOwnLeases, leaseExport } from "../../../src/features/exports/queries/lease.js";
import { countUnfinished, sweepExports } from "../../../src/features/exports/queries/unfinished.js";
import { releaseAddress } from "../../../src/features/platform-admin/queries.js";
import { createSessions } from "../../../src/features/sessions/service.js";
import { deleteUserSessions } from "../../../src/path/access/session-queries.js";
import { newId } from "../../support/people/tenants.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";
import { erase, filledWorkspace } from "../../support/rows/erasures.js";
import { tablesWith } from "../../support/rows/every-table.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

const run = (sql: string, values: unknown[] = []) => database.pool.query(sql, values);

async function newWorkspace(): Promise<string> {
  const workspaceId = newId("ws");
  await run("insert into workspaces (workspace_id, name) values ($1, 'Shop')", [idToHex(workspaceId)]);
  return workspaceId;
}

/** Sets the move of a workspace that leaves to this step. */
const leaves = (workspaceId: string, step: string) =>
  run(
    `insert into workspace_moves (workspace_id, is_leaving, step, cells) values ($1, true, $2, '{}')
     on conflict (workspace_id) do update set is_leaving = true, step = $2, changed_at = clock_timestamp()`,
    [idToHex(workspaceId), step],
  );

async function hasMoved(workspaceId: string): Promise<void> {
  await leaves(workspaceId, "moved");
  await run("update workspaces set status = 3 where workspace_id = $1", [idToHex(workspaceId)]);
}

describe("the old cell, once a workspace has moved", () => {
  it("CELL-14: the workspace's rows are erased there", async () => {
    const [moved, admin] = [
      await filledWorkspace(database.pool, "shop"),
      await filledWorkspace(database.pool, "admin"),
    ];
    await hasMoved(moved.workspaceId);
    const owner = { workspaceId: moved.workspaceId, merchantId: null, provenIn: admin.workspaceId };
    assert.deepEqual(await erase(database.pool, owner), []);
    assert.deepEqual(await tablesWith(database.pool, [idToUuid(moved.workspaceId)]), ["erasures"]);
  });

  it("CELL-14: a person who is in another workspace too ends sessions and changes the password", async () => {
    const [moved, other] = [await newWorkspace(), await newWorkspace()];
    const userId = newId("usr");
    await run("insert into users (user_id, email, password_hash) values ($1, $2, 'x')", [
      idToHex(userId),
      `${userId}@example.com`,
    ]);
    for (const workspaceId of [moved, other])
      await run("insert into memberships (workspace_id, user_id, role) values ($1, $2, 0)", [
        idToHex(workspaceId),
        idToHex(userId),
      ]);
    const signIn = async (workspaceId: string, session: string): Promise<string> => {
      const tokenHash = Buffer.alloc(32, session);
      const { rows } = await run(
        `insert into sessions (token_hash, workspace_id, user_id, created_at, last_used_at)
         values ($1, $2, $3, now(), now()) returning session_id`,
        [tokenHash, idToHex(workspaceId), idToHex(userId)],
      );
      const { rows: ids } = await run("select id_text('ses', $1) as id", [rows[0].session_id]);
      return ids[0].id as string;
    };
    const ended = await signIn(moved, "1");
    await signIn(moved, "2");
    await signIn(other, "3");
    await signIn(other, "4");
    await hasMoved(moved);
    const sessions = createSessions({
      pool: database.pool,
      attempt: (work) => work(),
      nextId: () => newId("aud").slice("aud_".length),
      now: Date.now,
    });
    const by = { userId, sessionKey: Buffer.alloc(32, "4").toString("hex") } as Parameters<
      typeof sessions.end
    >[0];
    assert.deepEqual(await sessions.end(by, ended), { isCurrent: false });
    await sessions.endOthers(by);
    assert.deepEqual(await listWorkspaceIds(database.pool, userId), [other]);
    const noted = await run(
      "select id_text('ws', workspace_id) as id, metadata from audit_log where actor = $1",
      [userId],
    );
    assert.deepEqual(noted.rows, [{ id: other, metadata: { sessions: 1 } }]);
    await signIn(other, "5");
    await deleteUserSessions(database.pool, userId, null);
    const released = await releaseAddress(
      database.pool,
      `${userId}@example.com`,
      `${userId}@released.invalid`,
    );
    assert.deepEqual(released, { userId, workspaceIds: [other] });
  });
});

describe("exports of the old cell", () => {
  let still: string;
  let other: string;
  beforeEach(async () => {
    await run("delete from exports");
    [still, other] = [await newWorkspace(), await newWorkspace()];
  });

  async function newExport(workspaceId: string, columns: Record<string, unknown> = {}): Promise<string> {
    const exportId = newId("xpt");
    const names = Object.keys(columns);
    await run(
      `insert into exports (workspace_id, export_id, created_by, kind, format, mode, since, until, filters
         ${names.map((name) => `, ${name}`).join("")})
       values ($1, $2, $3, 'usage', 'csv', ${MODES.indexOf("live")}, now(), now(), '{}'
         ${names.map((_, at) => `, $${at + 4}`).join("")})`,
      [...[workspaceId, exportId, newId("usr")].map(idToHex), ...Object.values(columns)],
    );
    return exportId;
  }

  it("EXP-10, CELL-14: files of other workspaces expire although a workspace has moved", async () => {
    const past = { status: "done", expires_at: new Date(0) };
    const kept = await newExport(still, past);
    const expired = await newExport(other, past);
    await hasMoved(still);
    await sweepExports(database.pool, Date.now());
    const { rows } = await run("select id_text('xpt', export_id) as id, status from exports");
    assert.deepEqual(Object.fromEntries(rows.map(({ id, status }) => [id, status])), {
      [kept]: "done",
      [expired]: "expired",
    });
  });

  it("EXP-8, CELL-8: those of other workspaces are made while one stands still, and its own wait", async () => {
    const running = { status: "running", leased_by: "node", leased_until: new Date(Date.now() + 3_600_000) };
    await newExport(still, running);
    const own = await newExport(other, running);
    const queued = await newWorkspace();
    await newExport(queued);
    for (const workspaceId of [still, queued]) await leaves(workspaceId, "frozen");
    await dropOwnLeases(database.pool, "node");
    assert.equal((await leaseExport(database.pool, "node"))?.exportId, own);
    assert.equal(await leaseExport(database.pool, "node"), null);
    await run("update exports set status = 'done' where workspace_id = $1", [idToHex(other)]);
    assert.equal((await countUnfinished(database.pool, "node")).isDue, false);
    // A standstill ends by itself after some time. This statement makes it old enough.
    await run("update workspace_moves set changed_at = now() - interval '1 minute' where step = 'frozen'");
    assert.equal((await countUnfinished(database.pool, "node")).isDue, true);
    assert.notEqual(await leaseExport(database.pool, "node"), null);
  });
});
