import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { createRollupFolder } from "../../../src/path/writer/copy/rollup-fold.js";
import { decisionRow, decisionsOnly } from "../../support/rows/decision-rows.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";

describe("rollups: pending deltas are folded, so that a reader adds up only a few", () => {
  it("a fold runs beyond its limits, or after two seconds if more than a few deltas are pending", async () => {
    const { pool } = await createTestDatabase();
    // The writer folds once, after its first batch, and never again.
    const never = { deltas: Number.MAX_SAFE_INTEGER, decisions: Number.MAX_SAFE_INTEGER };
    const writer = createDecisionWriter(pool, { nodeId: "fold", foldLimits: never });
    let position = 0;
    const append = () => writer.write(decisionsOnly([decisionRow()]), ++position);
    await append();
    const pending = async (): Promise<number> =>
      (await pool.query<{ n: number }>("select count(*)::int as n from rollup_deltas_rows")).rows[0]?.n ?? -1;

    let nowMs = 0;
    const folder = createRollupFolder({ deltas: 100, decisions: 1000 }, () => nowMs);
    const client = await pool.connect();
    const folds = async (added: { deltas?: number; decisions?: number }): Promise<boolean> => {
      await append();
      const before = await pending();
      assert.ok(before > 0);
      await folder.written(client, { deltas: 0, decisions: 0, outcomes: 0, ...added });
      return (await pending()) < before;
    };
    try {
      assert.equal(await folds({}), true, "what an earlier process left");
      nowMs += 60_000;
      assert.equal(await folds({ deltas: 31 }), false, "a little waits");
      assert.equal(await folds({ deltas: 1 }), true, "more than a little, long after the last fold");
      nowMs += 1999;
      assert.equal(await folds({ deltas: 99 }), false, "under the limit, and soon after the last fold");
      assert.equal(await folds({ deltas: 1 }), true, "the limit of deltas");
      assert.equal(await folds({ decisions: 1000 }), true, "the limit of decisions");
    } finally {
      client.release();
    }
  });
});
