import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type pg from "pg";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { growDatabase } from "../../support/postgres/grown-database.js";
import { PERIODIC, readsOf } from "../../support/postgres/periodic-queries.js";

/** From about a thousand rows on an index serves as it does with a million; those are in periodic-queries.long.test.ts. */
const GROWN = { rows: 5000, seeksIndexes: true };

describe("a node's periodic queries", () => {
  let pool: pg.Pool;
  before(async () => {
    const database = await createTestDatabase();
    pool = database.pool;
    await growDatabase(database.url, GROWN.rows);
  });

  it("finds a table that is read from front to back, in a plan and inside a function, so that the others say something", async () => {
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
    it(`SVC-14: reads no table from front to back: ${name}`, async () => {
      const { tooMuch, scanned, plans } = await readsOf(pool, ask, GROWN);
      assert.deepEqual({ tooMuch, scanned }, { tooMuch: [], scanned: [] }, plans.join("\n"));
    });
  }
});
