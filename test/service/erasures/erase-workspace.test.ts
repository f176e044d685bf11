import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToUuid } from "../../../src/domain/ids/ids.js";
import { WORKSPACE_TABLES } from "../../../src/features/erasures/job/tables.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";
import { rowsOfOthers, tablesWith } from "../../support/rows/every-table.js";
import { erase, filledWorkspace, PROOF } from "../../support/rows/erasures.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

describe("a workspace is erased", () => {
  it("RET-20, RET-23: no table holds it but the proof, and every row of others stays", async () => {
    const filled = (merchantId: string) => filledWorkspace(database.pool, merchantId);
    const [erased, other, admin] = [await filled("shop"), await filled("shop"), await filled("admin")];
    const uuid = idToUuid(erased.workspaceId);
    await database.pool.query("insert into outcome_evidence (evidence) values ($1), ($2)", [
      JSON.stringify([
        [uuid, 0],
        [idToUuid(other.workspaceId), 0],
      ]),
      JSON.stringify({ retries: [[uuid, 0]] }),
    ]);
    const others = await rowsOfOthers(database.pool, uuid);
    const held = [uuid, erased.workspaceId, idToUuid(erased.userId)];
    assert.deepEqual(
      await tablesWith(database.pool, [uuid]),
      [...erased.tables, "outcome_evidence"].toSorted(),
    );
    assert.deepEqual(
      await erase(database.pool, {
        workspaceId: erased.workspaceId,
        merchantId: null,
        provenIn: admin.workspaceId,
      }),
      [],
    );
    assert.deepEqual(await tablesWith(database.pool, held), PROOF);
    // The platform admin's audit log got one entry: the proof.
    assert.deepEqual(await rowsOfOthers(database.pool, uuid), {
      ...others,
      audit_log: Number(others["audit_log"]) + 1,
    });
    assert.deepEqual(
      await tablesWith(database.pool, [idToUuid(other.userId)]).then((found) => found.includes("users")),
      true,
    );
    const { rows } = await database.pool.query("select evidence from outcome_evidence order by evidence_id");
    assert.deepEqual(
      rows.map(({ evidence }) => evidence),
      [[[idToUuid(other.workspaceId), 0]], { retries: [] }],
    );
  });

  it("RET-20: the list of what leaves has every table with a workspace", async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and a.attname = 'workspace_id' order by 1`,
    );
    assert.deepEqual(
      [...WORKSPACE_TABLES, "changes", "erasures"].toSorted(),
      rows.map(({ name }) => name),
    );
  });
});
