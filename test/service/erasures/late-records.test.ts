import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { ERASURE_TUNING } from "../../../src/domain/vocabulary/tuning/erasures.js";
import { runErasures } from "../../../src/features/erasures/job/run-erasures.js";
import { WORKSPACE_TABLES } from "../../../src/features/erasures/job/tables.js";
import { countUnfinishedErasures } from "../../../src/features/erasures/job/unfinished.js";
import { findErasureOf } from "../../../src/features/erasures/queries.js";
import { OUTCOMES } from "../../../src/domain/vocabulary/vocabulary.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { insertMerchant } from "../../../src/features/workspaces/queries/merchant.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";
import { newId } from "../../support/people/tenants.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";
import { decisionRow, decisionsOnly, type TextRow } from "../../support/rows/decision-rows.js";
import { askFor, erase, work } from "../../support/rows/erasures.js";
import { untilPasses } from "../../support/waiting/eventually.js";

let database: TestDatabase;
let admin: string;
before(async () => {
  database = await createTestDatabase();
  admin = await workspaceWith();
});

async function workspaceWith(...merchants: string[]): Promise<string> {
  const workspaceId = newId("ws");
  await insertWorkspace(database.pool, { workspaceId, name: "Test" });
  for (const merchantId of merchants) await insertMerchant(database.pool, { workspaceId, merchantId });
  return workspaceId;
}

const row = (workspaceId: string, merchantId: string): TextRow =>
  decisionRow({ workspaceId, merchantId, mode: 0 }, Date.now());

async function storedOf(workspaceId: string, table = "decisions"): Promise<number> {
  const { rowCount } = await database.pool.query(`select from ${table} where workspace_id = $1`, [
    idToHex(workspaceId),
  ]);
  return rowCount ?? 0;
}

describe("what a journal still holds of what was erased", () => {
  it("RET-22: is not stored, and what is beside it is", async () => {
    const [erased, shared] = [await workspaceWith("shop"), await workspaceWith("gone", "kept")];
    const writer = createDecisionWriter(database.pool, { nodeId: "late" });
    const first = [row(erased, "shop"), row(shared, "gone"), row(shared, "kept")];
    await writer.write(decisionsOnly(first), 3);
    assert.deepEqual(
      await erase(database.pool, { workspaceId: erased, merchantId: null, provenIn: admin }),
      [],
    );
    assert.deepEqual(
      await erase(database.pool, { workspaceId: shared, merchantId: "gone", provenIn: admin }),
      [],
    );
    const late = [row(erased, "shop"), row(shared, "gone"), row(shared, "kept"), row(erased, "gone")];
    const outcomes = late.map(({ workspaceId, decisionId, orderId }) => ({
      workspaceId,
      decisionId,
      orderId,
      mode: 0,
      outcome: OUTCOMES.indexOf("approved"),
      technicalFailureType: null,
      providerUsed: "provider_1",
      providerLatencyMs: 5,
      providerReasonCode: null,
      amountMinor: 1250,
      currency: "USD",
      merchantScope: null,
      reportedAtMs: Date.now(),
      createdAtMs: null,
    }));
    const retries = late.map(({ workspaceId, decisionId }) => ({
      workspaceId,
      decisionId,
      mode: 0,
      failedProvider: "provider_1",
      failedOutcome: 1,
    }));
    assert.equal(await writer.write({ ...decisionsOnly(late), outcomes, retries }, 7), "written");
    assert.equal(await writer.position(), 7);
    for (const table of [
      "decisions",
      "outcomes",
      "unmatched_outcomes",
      "retried_decisions",
      "rollup_deltas",
    ]) {
      assert.equal(await storedOf(erased, table), 0, table);
    }
    assert.equal(await storedOf(shared), 2);
    assert.equal(await storedOf(shared, "outcomes"), 1);
    assert.equal(await storedOf(shared, "unmatched_outcomes"), 0);
    assert.equal(await storedOf(shared, "retried_decisions"), 1);
  });

  it("RET-22: a transaction that did not know of the erasure has ended before anything leaves", async () => {
    const erased = await workspaceWith("shop");
    const writer = createDecisionWriter(database.pool, { nodeId: "early" });
    await writer.write(decisionsOnly([row(erased, "shop")]), 1);
    const { rows } = await database.pool.query("select coalesce(max(number), 0) as known from erasures");
    const [storing, running] = [await database.pool.connect(), await database.pool.connect()];
    const errors: unknown[] = [];
    try {
      await storing.query("begin");
      await storing.query("select advance_journal('early', 1, 2, $1)", [rows[0].known]);
      await askFor(database.pool, { workspaceId: erased, merchantId: null, provenIn: admin });
      let looks = 0;
      const done = runErasures({
        client: running,
        archiveDir: null,
        clickHouse: null,
        nextId: () => newId("aud").slice("aud_".length),
        onError: (error) => errors.push(error),
        isStopping: () => ++looks < 0,
      });
      // `isStopping` is called once before each step. With so many calls, an erasure that does not wait would have
      // finished every table.
      await untilPasses(() => Promise.resolve(assert.ok(looks > WORKSPACE_TABLES.length)));
      assert.equal(await storedOf(erased), 1);
      const late = row(erased, "shop");
      await storing.query(
        `insert into decisions select (jsonb_populate_record(d, jsonb_build_object('decision_id', $2::uuid))).*
         from decisions d where workspace_id = $1 limit 1`,
        [idToHex(erased), idToHex(late.decisionId)],
      );
      await storing.query("commit");
      await done;
      assert.deepEqual(errors, []);
      assert.equal(await storedOf(erased), 0);
    } finally {
      storing.release(true);
      running.release(true);
    }
  });
});

describe("an erasure that fails", () => {
  it("RET-26: is tried again, then waits until it is asked for again, and goes on from there", async () => {
    const { pool } = database;
    const erased = await workspaceWith("shop");
    const erasureId = await askFor(pool, { workspaceId: erased, merchantId: null, provenIn: admin });
    await pool.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no'; end $$;
      create trigger refused before delete on merchants for each row execute function refuse()`);
    const stateOf = async (): Promise<unknown[]> => {
      const { rows } = await pool.query("select status, attempts from erasures where erasure_id = $1", [
        idToHex(erasureId),
      ]);
      return [rows[0].status, rows[0].attempts];
    };
    for (let attempt = 1; attempt <= ERASURE_TUNING.attemptsMax; attempt++) {
      assert.equal((await work(pool)).length, 1);
      const status = attempt < ERASURE_TUNING.attemptsMax ? "queued" : "failed";
      assert.deepEqual(await stateOf(), [status, attempt]);
      // The next attempt is not due yet.
      assert.deepEqual(await work(pool), []);
      assert.equal((await countUnfinishedErasures(pool)).isDue, false);
      await pool.query("update erasures set next_try_at = now()");
    }
    assert.deepEqual(await work(pool), []);
    assert.deepEqual(await countUnfinishedErasures(pool), { waiting: 0, failed: 1, isDue: false });
    await pool.query("drop trigger refused on merchants");
    await findErasureOf(pool, { workspaceId: erased, merchantId: null });
    assert.deepEqual(await work(pool), []);
    assert.deepEqual(await stateOf(), ["done", 0]);
    assert.equal(await storedOf(erased, "workspaces"), 0);
  });
});
