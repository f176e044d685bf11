import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type pg from "pg";
import { scaled } from "../../support/load/scale.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { growDatabase } from "../../support/postgres/grown-database.js";
import { PERIODIC, readsOf } from "../../support/postgres/periodic-queries.js";

/** PostgreSQL chooses its plans freely here. The tables of a million rows take 4 GB. */
const GROWN = { rows: scaled(1_000_000, 100_000), seeksIndexes: false };

describe(`the periodic queries of a node, where each table has ${GROWN.rows} rows`, () => {
  let pool: pg.Pool;
  before(async () => {
    const database = await createTestDatabase();
    pool = database.pool;
    await growDatabase(database.url, GROWN.rows);
  });

  for (const [name, ask] of Object.entries(PERIODIC)) {
    it(`SVC-14: no plan scans a whole table: ${name}`, async (t) => {
      const { tooMuch, scanned, plans } = await readsOf(pool, ask, GROWN);
      for (const plan of plans) t.diagnostic(plan);
      assert.deepEqual({ tooMuch, scanned }, { tooMuch: [], scanned: [] });
    });
  }
});
