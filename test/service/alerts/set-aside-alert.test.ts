import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ClientBase, Pool } from "pg";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { ALERT_KIND_ROWS } from "../../../src/domain/vocabulary/alert-kinds.js";
import { listAlerts, listPlatformAlerts } from "../../../src/features/alerts/queries.js";
import { storeAlerts } from "../../../src/features/alerts/alert-writer.js";
import { createTestDatabase, tenantsOf, type TestDatabase } from "../../support/postgres/postgres.js";
import { newId } from "../../support/people/tenants.js";
import { inTransaction } from "../../../src/platform/postgres/transaction.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

const add = (db: Pool | ClientBase, workspaceId: string): Promise<unknown> =>
  db.query(
    `insert into set_aside (set_aside_id, workspace_id, kind, entry, statement, sql_state, message)
     values (new_ulid(), $1, 'decision', '', 'decisions', '23514', '')`,
    [idToHex(workspaceId)],
  );
const remove = (db: Pool | ClientBase, workspaceId: string): Promise<unknown> =>
  db.query("delete from set_aside where workspace_id = $1", [idToHex(workspaceId)]);
const NOBODY = `ws_${"0".repeat(26)}`;

/** The number of open alerts: the workspace's own, and the platform's. */
async function standing(workspaceId: string): Promise<[number, number]> {
  const own = await listAlerts(tenantsOf(database.pool).of(workspaceId), workspaceId, "live");
  const platform = await listPlatformAlerts(database.pool, workspaceId);
  const open = [own, platform].map((all) => all.filter(({ closedAt }) => closedAt === null));
  const { severity, reasonCode } = ALERT_KIND_ROWS.set_aside;
  for (const alert of open.flat())
    assert.deepEqual([alert.kind, alert.severity, alert.reasonCode], ["set_aside", severity, reasonCode]);
  return [open[0]?.length ?? -1, open[1]?.length ?? -1];
}

describe("DUR-11: alerts follow the records set aside", () => {
  it("DUR-11: each workspace and the platform have an alert; a record without a workspace has only the platform's", async () => {
    const [one, other] = [newId("ws"), newId("ws")];
    for (const workspaceId of [one, one, other, NOBODY]) await add(database.pool, workspaceId);
    assert.deepEqual(
      [await standing(one), await standing(other)],
      [
        [1, 1],
        [1, 1],
      ],
    );
    await remove(database.pool, one);
    assert.deepEqual(
      [await standing(one), await standing(other)],
      [
        [0, 1],
        [1, 1],
      ],
    );
    await remove(database.pool, other);
    assert.deepEqual(
      [await standing(one), await standing(other)],
      [
        [0, 1],
        [0, 1],
      ],
    );
    await remove(database.pool, NOBODY);
    assert.deepEqual(await standing(one), [0, 0]);
  });

  it("DUR-11, ALRT-11: no node's report about providers closes them", async () => {
    const workspaceId = newId("ws");
    await add(database.pool, workspaceId);
    await database.pool.query(
      "update alerts set opened_at = opened_at - interval '1 day', confirmed_at = confirmed_at - interval '1 day'",
    );
    const batch = { closesUnlisted: true, confirm: true, open: [], closed: [] };
    await storeAlerts(database.pool, batch, () => newId("alr").slice(4));
    assert.deepEqual(await standing(workspaceId), [1, 1]);
    await remove(database.pool, workspaceId);
  });

  it("DUR-11: a record set aside while the last one is removed still has an alert", async () => {
    const workspaceId = newId("ws");
    for (const order of ["added first", "removed first"]) {
      await add(database.pool, workspaceId);
      const { rows } = await database.pool.query<{ id: string }>("select set_aside_id as id from set_aside");
      await inTransaction(database.pool, async (client) => {
        if (order === "removed first") await add(client, workspaceId);
        await database.pool.query("delete from set_aside where set_aside_id = any($1::uuid[])", [
          rows.map(({ id }) => id),
        ]);
        if (order === "added first") await add(client, workspaceId);
      });
      assert.deepEqual(await standing(workspaceId), [1, 1], order);
      await remove(database.pool, workspaceId);
      assert.deepEqual(await standing(workspaceId), [0, 0], order);
    }
    // Entries are added and removed at the same time, in many rounds.
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        add(database.pool, workspaceId),
        remove(database.pool, workspaceId),
        add(database.pool, workspaceId),
        remove(database.pool, workspaceId),
      ]);
      const { rowCount } = await database.pool.query("select from set_aside");
      assert.deepEqual(await standing(workspaceId), rowCount === 0 ? [0, 0] : [1, 1]);
    }
  });
});
