import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Pool } from "pg";
import type { TenantDb } from "../../../src/platform/postgres/tenant-db.js";
import { TENANT_ROLE } from "../../../src/platform/postgres/tenant-role.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { fillWorkspace, insertAnyRow, neededColumns, tenantTables } from "../../support/people/any-rows.js";
import { createTestDatabase, tenantsOf } from "../../support/postgres/postgres.js";
import { newId } from "../../support/people/tenants.js";

const REFUSED = { code: "42501" };
const EVERYBODY = "00000000-0000-0000-0000-000000000000";

/** The test reads a tenant's rights on every table from the server, so tables of later migrations are tested too. */
describe("no query may cross a workspace, not even one that forgets its clause", () => {
  let pool: Pool;
  let tenants: TenantDb;
  let tables: string[];
  let own: string;
  let other: string;
  /** Each table has one row, except that the table of changes has a row for each of the others. */
  let rowsOfOther: Map<string, number>;
  before(async () => {
    ({ pool } = await createTestDatabase());
    tenants = tenantsOf(pool);
    tables = await tenantTables(pool);
    own = await fillWorkspace(pool, tables);
    other = await fillWorkspace(pool, tables);
    rowsOfOther = new Map();
    for (const table of tables) rowsOfOther.set(table, await countOf(table, other));
    // Every tenant may see an alert for everybody, but not change it.
    await insertAnyRow(pool, await neededColumns(pool, "alerts"), "alerts", {
      workspaceId: `ws_${"0".repeat(26)}`,
      personId: newId("alr"),
    });
  });

  const may = async (table: string, privilege: string): Promise<boolean> => {
    const { rows } = await pool.query<{ may: boolean }>("select has_table_privilege($1, $2, $3) as may", [
      TENANT_ROLE,
      table,
      privilege,
    ]);
    return rows[0]?.may === true;
  };
  const hexOf = (id: string): string => idToHex(id).replaceAll("-", "");
  const ownersOf = async (table: string): Promise<string[]> => {
    const { rows } = await tenants
      .of(own)
      .query<{ id: string }>(
        `select distinct replace(workspace_id::text, '-', '') as id from ${table} order by id`,
      );
    return rows.map(({ id }) => id);
  };
  const countOf = async (table: string, workspaceId: string): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from ${table} where workspace_id = $1`,
      [idToHex(workspaceId)],
    );
    return rows[0]?.count ?? 0;
  };

  it("TEN-3: guards every table of tenants' rows, even against its owner", async () => {
    assert.ok(tables.length >= 31);
    const { rows } = await pool.query<{ relname: string }>(
      `select relname from pg_class where relname = any($1) and not (relrowsecurity and relforcerowsecurity)`,
      [[...tables, "users"]],
    );
    assert.deepEqual(rows, []);
  });

  it("TEN-3: a forgotten clause reads only the tenant's own rows", async () => {
    for (const table of tables) {
      if (!(await may(table, "select"))) {
        await assert.rejects(tenants.of(own).query(`select from ${table}`), REFUSED, table);
        continue;
      }
      const expected = table === "alerts" ? [EVERYBODY.replaceAll("-", ""), hexOf(own)] : [hexOf(own)];
      assert.deepEqual(await ownersOf(table), expected, table);
    }
  });

  it("TEN-3: a clause that names another workspace reads nothing", async () => {
    for (const table of tables) {
      if (!(await may(table, "select"))) continue;
      const { rows } = await tenants
        .of(own)
        .query(`select from ${table} where workspace_id = $1`, [idToHex(other)]);
      assert.equal(rows.length, 0, table);
    }
  });

  it("TEN-3: a forgotten clause changes and deletes nobody else's rows", async () => {
    for (const table of tables) {
      // This transaction is rolled back, because the other tests need the rows.
      for (const change of [`update ${table} set workspace_id = workspace_id`, `delete from ${table}`]) {
        const attempt = tenants.of(own).transaction(async (client) => {
          const before = await countOf(table, own);
          const { rowCount } = await client.query(change);
          assert.equal(rowCount, before, change);
          throw new Undone();
        });
        await assert.rejects(attempt, (error) => error instanceof Undone || isRefused(error), change);
      }
      assert.equal(await countOf(table, other), rowsOfOther.get(table), table);
    }
  });

  it("TEN-3: a row of another workspace cannot be written", async () => {
    const ids = { workspaceId: other, personId: newId("usr") };
    for (const table of tables) {
      const insert = insertAnyRow(
        tenants.of(own) as unknown as Pool,
        await neededColumns(pool, table),
        table,
        ids,
      );
      await assert.rejects(insert, REFUSED, table);
      assert.equal(await countOf(table, other), rowsOfOther.get(table), table);
    }
  });

  it("a row cannot be moved to another workspace", async () => {
    for (const table of tables) {
      const give = tenants.of(own).query(`update ${table} set workspace_id = $1`, [idToHex(other)]);
      await assert.rejects(give, REFUSED, table);
    }
  });

  it("TEN-3: without a workspace no row is visible", async () => {
    const client = await pool.connect();
    try {
      await client.query(`set role ${TENANT_ROLE}`);
      for (const table of tables) {
        if (!(await may(table, "select"))) continue;
        const { rows } = await client.query(`select from ${table} where workspace_id <> $1`, [EVERYBODY]);
        assert.equal(rows.length, 0, table);
      }
      assert.equal((await client.query("select user_id from users")).rowCount, 0);
    } finally {
      client.release(true);
    }
  });

  it("users are visible to their own workspaces, and their passwords to none", async () => {
    const { rows } = await tenants.of(own).query<{ email: string }>("select email from users");
    const members = await pool.query<{ email: string }>(
      "select u.email from users u join memberships m using (user_id) where m.workspace_id = $1",
      [idToHex(own)],
    );
    assert.deepEqual(rows, members.rows);
    assert.equal(rows.length, 1);
    await assert.rejects(tenants.of(own).query("select password_hash from users"), REFUSED);
  });

  it("TEN-3: partitions are not guarded, and give tenants no rights", async () => {
    await pool.query("select ensure_decision_partitions('2026-11-20Z')");
    const { rows } = await pool.query<{ name: string; free: boolean }>(
      `select c.relname as name,
              has_any_column_privilege($1, c.oid, 'select, insert, update') or has_table_privilege($1, c.oid, 'delete, truncate')
                as free
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r'`,
      [TENANT_ROLE],
    );
    const names = rows.map(({ name }) => name);
    for (const name of [
      "decisions_2026_11_16",
      "decision_segments_2026_11_16",
      "outcomes_2026_11_16",
      "rollup_deltas_rows",
    ]) {
      assert.ok(names.includes(name), name);
    }
    assert.deepEqual(
      rows.filter(({ free }) => free),
      [],
    );
    await assert.rejects(tenants.of(own).query("select from decisions_2026_11_16"), REFUSED);
  });
});

class Undone extends Error {}

function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === REFUSED.code;
}
