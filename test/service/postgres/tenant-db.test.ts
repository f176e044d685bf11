import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import {
  listMerchants,
  registerMerchant,
  insertMerchant,
} from "../../../src/features/workspaces/queries/merchant.js";
import { createTenantDb, type TenantDb } from "../../../src/platform/postgres/tenant-db.js";
import { prepareTenantQueries, runTenantQuery } from "../../../src/platform/postgres/tenant-query.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";
import { readSettings } from "../../../src/platform/settings/settings.js";
import { decisionRow, decisionsOnly } from "../../support/rows/decision-rows.js";
import { newId } from "../../support/people/tenants.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";

describe("the workspace is set for each transaction of a tenant", () => {
  let database: TestDatabase;
  /** There is only one connection, so that each statement would see state left by the one before. */
  let tenants: TenantDb;
  const first = newId("ws");
  const second = newId("ws");
  before(async () => {
    database = await createTestDatabase();
    tenants = createTenantDb({
      connectionString: database.url,
      connectionsMax: 1,
      statementTimeoutMs: 10_000,
      applicationName: "tenant-db",
    });
    for (const workspaceId of [first, second]) {
      await insertWorkspace(database.pool, { workspaceId, name: "Test" });
      await insertMerchant(database.pool, { workspaceId, merchantId: `of_${workspaceId}` });
    }
  });
  after(() => tenants.end());

  const FORGOTTEN = "select merchant_id from merchants";
  const readTable = async (
    workspaceId: string,
    query: string | { name: string; text: string },
  ): Promise<string[]> =>
    (await tenants.of(workspaceId).query<{ merchant_id: string }>(query)).rows.map((row) => row.merchant_id);

  it("TEN-3: holds for one statement, prepared or not, and ends with it", async () => {
    for (const query of [FORGOTTEN, { name: "forgotten", text: FORGOTTEN }]) {
      for (const workspaceId of [first, second, first]) {
        assert.deepEqual(await readTable(workspaceId, query), [`of_${workspaceId}`]);
      }
    }
  });

  it("OPS-13: slow statements of one workspace leave the others a connection", async () => {
    const guarded = createTenantDb({
      connectionString: database.url,
      connectionsMax: 2,
      workspaceConnectionsMax: 1,
      statementTimeoutMs: 60_000,
      connectionTimeoutMs: 60_000,
      applicationName: "tenant-db",
    });
    const lock = await database.pool.connect();
    try {
      await lock.query("select pg_advisory_lock(13)");
      const slow = Array.from({ length: 5 }, () =>
        guarded.of(first).query("select pg_advisory_xact_lock_shared(13)"),
      );
      const { rows } = await guarded.of(second).query(FORGOTTEN);
      assert.equal(rows.length, 1);
      await guarded.of(second).transaction((client) => client.query(FORGOTTEN));
      await lock.query("select pg_advisory_unlock(13)");
      await Promise.all(slow);
    } finally {
      lock.release();
      await guarded.end();
    }
  });

  it("is set by nothing that outlives the statement or the transaction", async () => {
    const client = await database.pool.connect();
    const left = async (): Promise<unknown> =>
      (await client.query<{ id: string | null }>("select tenant_workspace() as id")).rows[0]?.id;
    try {
      await prepareTenantQueries(client);
      assert.equal(await left(), null);
      const hex = idToHex(first);
      const { rows } = await runTenantQuery<{ id: string }>(
        client,
        [hex, ""],
        "select tenant_workspace() as id",
      );
      assert.equal(rows[0]?.id.replaceAll("-", ""), hex);
      assert.equal(await left(), null);
      await assert.rejects(runTenantQuery(client, [hex, ""], "select 1 / 0"), /zero/);
      assert.equal(await left(), null);
    } finally {
      client.release(true);
    }
  });

  it("holds for a whole transaction, and ends with it, committed or not", async () => {
    const inside = tenants.of(first).transaction(async (client) => {
      const { rows } = await client.query<{ merchant_id: string }>(FORGOTTEN);
      return rows.map((row) => row.merchant_id);
    });
    assert.deepEqual(await inside, [`of_${first}`]);
    const failed = tenants.of(first).transaction(async (client) => {
      await client.query("insert into merchants (workspace_id, merchant_id) values ($1, 'gone')", [
        (await client.query<{ id: string }>("select tenant_workspace() as id")).rows[0]?.id,
      ]);
      throw new RangeError("stop");
    });
    await assert.rejects(failed, RangeError);
    assert.deepEqual(await readTable(second, FORGOTTEN), [`of_${second}`]);
    assert.deepEqual(await readTable(first, FORGOTTEN), [`of_${first}`]);
  });

  it("a statement that fails leaves the connection good for the next tenant", async () => {
    for (const bad of ["select 1 / 0", "select from nowhere", "insert into merchants default values"]) {
      await assert.rejects(tenants.of(first).query(bad), /zero|nowhere|null value|row-level/);
      assert.deepEqual(await readTable(second, FORGOTTEN), [`of_${second}`]);
    }
  });

  it("answers as node-postgres does: rows, types, counts and values", async () => {
    const { rows, rowCount, fields } = await tenants
      .of(first)
      .query("select $1::int + n as sum, 'x' as text, null as nothing from generate_series(1, 2) n", [40]);
    assert.deepEqual(rows, [
      { sum: 41, text: "x", nothing: null },
      { sum: 42, text: "x", nothing: null },
    ]);
    assert.equal(rowCount, 2);
    assert.deepEqual(
      fields.map(({ name }) => name),
      ["sum", "text", "nothing"],
    );
    assert.equal((await tenants.of(first).query("update merchants set name = 'n'")).rowCount, 1);
  });

  it("many tenants at once get only their own rows", async () => {
    const wanted = Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? first : second));
    const found = await Promise.all(wanted.map((workspaceId) => readTable(workspaceId, FORGOTTEN)));
    assert.deepEqual(
      found,
      wanted.map((workspaceId) => [`of_${workspaceId}`]),
    );
  });

  it("a tenant's queries succeed: a registered merchant is listed, with its entry in the audit log", async () => {
    const tenant = tenants.of(first);
    const author = { auditId: newId("aud"), actor: newId("usr") };
    await registerMerchant(tenant, { workspaceId: first, merchantId: "new" }, author, readSettings({}).kept);
    assert.deepEqual(
      (await listMerchants(tenant, first, { pageSize: 100, cursor: null })).rows.map(
        ({ merchantId }) => merchantId,
      ),
      ["new", `of_${first}`],
    );
    assert.equal((await tenant.query("select from audit_log")).rowCount, 1);
  });

  it("does not compile with a connection that sees every tenant", () => {
    // @ts-expect-error a pool belongs to no tenant
    const wrong = (): Promise<unknown> => listMerchants(database.pool, first);
    assert.equal(typeof wrong, "function");
  });

  it("the guarded log is read by its indexes and only in its weeks", async () => {
    const rows = ["2026-10-05", "2026-11-05"].map((day) =>
      decisionRow({ workspaceId: first }, Date.parse(day)),
    );
    await createDecisionWriter(database.pool, { nodeId: "node" }).write(decisionsOnly(rows), 1);
    const plan = (query: string, values: unknown[]): Promise<string> =>
      tenants.of(first).transaction(async (client) => {
        // Without this PostgreSQL would scan a table this small.
        await client.query("set local enable_seqscan = off");
        const { rows: lines } = await client.query<{ "QUERY PLAN": string }>(
          `explain (costs off) ${query}`,
          values,
        );
        return lines.map((line) => line["QUERY PLAN"]).join("\n");
      });
    const page = await plan(
      `select from decisions where mode = 0 and decision_id >= ulid_floor('2026-11-01Z')
         and decision_id < ulid_floor('2026-11-30Z') order by decision_id desc limit 25`,
      [],
    );
    assert.match(page, /decisions_2026_11_02/);
    assert.doesNotMatch(page, /decisions_2026_10|Seq Scan/);
    assert.match(page, /Index Cond: \(\(workspace_id = .*\) AND \(mode = .*\) AND \(decision_id >= /);
    const rare = await plan(
      "select from decisions where mode = 0 and action = 3 order by decision_id desc",
      [],
    );
    assert.match(rare, /decisions_2026_11_02_workspace_id_mode_action_decision_id_idx/);
    assert.doesNotMatch(rare, /Seq Scan/);
    const ofOrder = await plan(
      "select from order_decisions(0::smallint, 'o') f (id) join decisions d on d.decision_id = f.id where d.mode = 0",
      [],
    );
    assert.doesNotMatch(ofOrder, /Seq Scan/);
  });
});
