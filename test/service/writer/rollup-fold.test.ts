import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { createRollupFolder } from "../../../src/path/writer/copy/batch-steps.js";
import { decisionRow, decisionsOnly } from "../../support/rows/decision-rows.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { newId } from "../../support/people/tenants.js";
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

  it("CELL-9: a fold leaves out what a workspace that moves has counted, in every table", async () => {
    const { pool } = await createTestDatabase();
    const never = { deltas: Number.MAX_SAFE_INTEGER, decisions: Number.MAX_SAFE_INTEGER };
    const writer = createDecisionWriter(pool, { nodeId: "fold", foldLimits: never });
    const [leaving, staying] = [newId("ws"), newId("ws")];
    // The writer folds after its first batch.
    await writer.write(decisionsOnly([decisionRow()]), 1);
    await writer.write(
      decisionsOnly([leaving, staying].map((workspaceId) => decisionRow({ workspaceId }))),
      2,
    );
    for (const workspaceId of [leaving, staying]) {
      await pool.query(
        `insert into rollup_cost_deltas (workspace_id, mode, hour, currency, decision_mode, decisions, cost_minor,
           saved_dearest_minor, first_decisions, saved_first_minor) values ($1, 0, 1, 'USD', 0, 1, 1, 1, 1, 1)`,
        [idToHex(workspaceId)],
      );
      await pool.query(
        `insert into rollup_retry_deltas (workspace_id, mode, hour, provider, outcome, decisions)
         values ($1, 0, 1, 'provider_1', 1, 1)`,
        [idToHex(workspaceId)],
      );
    }
    await pool.query(
      "insert into workspace_moves (workspace_id, is_leaving, step, cells) values ($1, true, 'copying', '{}')",
      [idToHex(leaving)],
    );
    const client = await pool.connect();
    try {
      const folder = createRollupFolder({ deltas: 1, decisions: 1 });
      await folder.written(client, { deltas: 1, decisions: 1, outcomes: 0 });
    } finally {
      client.release();
    }
    for (const table of ["rollup_deltas", "rollup_cost_deltas", "rollup_retry_deltas", "facet_deltas"]) {
      const { rows } = await pool.query<{ id: string }>(
        `select distinct replace(workspace_id::text, '-', '') as id from ${table}`,
      );
      assert.deepEqual(rows, [{ id: idToHex(leaving) }], table);
    }
  });
});
