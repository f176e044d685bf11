import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type pg from "pg";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { growDatabase } from "../../support/postgres/grown-database.js";
import { PERIODIC, readsOf } from "../../support/postgres/periodic-queries.js";

/**
 * With about a thousand rows, an index already pays as it does with a million. periodic-queries.long.test.ts uses a
 * million.
 */
const GROWN = { rows: 5000, seeksIndexes: true };

describe("a node's periodic queries", () => {
  let pool: pg.Pool;
  before(async () => {
    const database = await createTestDatabase();
    pool = database.pool;
    await growDatabase(database.url, GROWN.rows);
  });

  it("detects a complete scan in a plan and inside a function, which shows that the other tests can fail", async () => {
    const unindexed = "select count(*) from merchant_amounts where decision_count > 0";
    const plain = await readsOf(pool, (own) => own.query(unindexed), GROWN);
    assert.deepEqual(plain.scanned, ["merchant_amounts"]);
    await pool.query(
      `create function unindexed() returns bigint language plpgsql as $$ begin return (${unindexed}); end $$`,
    );
    const inside = await readsOf(pool, (own) => own.query("select unindexed()"), GROWN);
    assert.deepEqual(inside.scanned, []);
    assert.deepEqual(inside.tooMuch, [{ table: "merchant_amounts", sequential: GROWN.rows, indexed: 0 }]);
  });

  for (const [name, ask] of Object.entries(PERIODIC)) {
    it(`SVC-14: scans no table completely: ${name}`, async () => {
      const { tooMuch, scanned, plans } = await readsOf(pool, ask, GROWN);
      assert.deepEqual({ tooMuch, scanned }, { tooMuch: [], scanned: [] }, plans.join("\n"));
    });
  }
});
