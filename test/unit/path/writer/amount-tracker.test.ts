import assert from "node:assert/strict";
import { before, describe, it, mock } from "node:test";
import type { Pool } from "pg";
import { createAmountTracker, type AmountTracker } from "../../../../src/path/writer/amount-tracker.js";
import { createWriterActor } from "../../../../src/path/writer/writer-actor.js";
import { loadChangedAmounts, saveAmounts } from "../../../../src/path/writer/amount-queries.js";
import { createDecisionWriter } from "../../../../src/path/writer/decision-writer.js";
import { amountsKey, openReplica, type Replica } from "../../../../src/path/replica/replica.js";
import type { DecisionRecord } from "../../../../src/path/journal/decision-record.js";
import { idToHex } from "../../../../src/domain/ids/ids.js";
import type { Mode } from "../../../../src/domain/vocabulary/vocabulary.js";
import { createDataDir } from "../../../support/service/actor-parts.js";
import { closeLater } from "../../../support/closing.js";
import { newId } from "../../../support/rows/decision-rows.js";
import { decisionsOf, trackerOf } from "../../../support/rows/merchant-amounts.js";
import { createTestDatabase, temporaryDir } from "../../../support/postgres/postgres.js";
import { eventually } from "../../../support/service/service.js";

let pool: Pool;
before(async () => {
  ({ pool } = await createTestDatabase());
});

async function createReplica(): Promise<Replica> {
  const replica = openReplica(await temporaryDir());
  closeLater(() => replica.close());
  return replica;
}

/** Counts decisions of the amounts. */
function count(
  tracker: AmountTracker,
  amountsMinor: readonly number[],
  changes: Partial<DecisionRecord>,
): void {
  for (const row of decisionsOf(amountsMinor, changes)) tracker.add(row);
}

/** `length` times the amount. */
const times = (amountMinor: number, length: number): number[] => Array.from({ length }, () => amountMinor);

/** The replica's amounts of `merchant`: its 99th-percentile amount by currency. */
function published(replica: Replica, workspaceId: string, mode: Mode = "live"): unknown {
  replica.refresh();
  const text = replica.read(amountsKey(workspaceId, mode, "merchant"));
  return text === undefined ? undefined : JSON.parse(text);
}

describe("merchants' amounts in the replica", () => {
  it("refuse a stored text that is no sketch", async () => {
    const share = {
      workspaceId: newId("ws"),
      mode: "live",
      merchantId: "merchant",
      currency: "USD",
    } as const;
    const tracker = createAmountTracker({
      nodeId: "node_a",
      save: () => Promise.resolve(),
      loadChanged: () =>
        Promise.resolve([{ ...share, nodeId: "node_b", decisionCount: 1, sketch: "no sketch" }]),
      publish: () => assert.fail("nothing is known"),
    });
    await assert.rejects(tracker.refresh(), SyntaxError);
  });

  it("are there from 100 decisions on", async () => {
    const replica = await createReplica();
    const workspaceId = newId("ws");
    const tracker = trackerOf("node_a", pool, replica);
    count(tracker, times(700, 99), { workspaceId });
    await tracker.refresh();
    assert.deepEqual(published(replica, workspaceId), {});
    count(tracker, [700], { workspaceId });
    await tracker.refresh();
    assert.deepEqual(published(replica, workspaceId), { USD: 700 });
  });

  it("RISK-13: add up the decisions of all nodes", async () => {
    const [replicaA, replicaB] = [await createReplica(), await createReplica()];
    const workspaceId = newId("ws");
    const [a, b] = [trackerOf("node_a", pool, replicaA), trackerOf("node_b", pool, replicaB)];
    count(a, times(200, 60), { workspaceId });
    count(b, times(900, 60), { workspaceId });
    await a.refresh();
    assert.deepEqual(published(replicaA, workspaceId), {}, "60 of one node are too few");
    await b.refresh();
    assert.deepEqual(published(replicaB, workspaceId), { USD: 900 });
    await a.refresh();
    assert.deepEqual(published(replicaA, workspaceId), { USD: 900 });
  });

  it("are kept apart by workspace, merchant, mode and currency", async () => {
    const replica = await createReplica();
    const [workspaceId, other] = [newId("ws"), newId("ws")];
    const tracker = trackerOf("node_a", pool, replica);
    count(tracker, times(100, 100), { workspaceId });
    count(tracker, times(200, 100), { workspaceId, currency: "NGN" });
    count(tracker, times(300, 99), { workspaceId, currency: "EUR" });
    count(tracker, times(400, 100), { workspaceId, mode: "test" });
    count(tracker, times(500, 100), { workspaceId: other });
    count(tracker, times(600, 100), { workspaceId, merchantId: "another" });
    await tracker.refresh();
    assert.deepEqual(published(replica, workspaceId), { USD: 100, NGN: 200 });
    assert.deepEqual(published(replica, workspaceId, "test"), { USD: 400 });
    assert.deepEqual(published(replica, other), { USD: 500 });
    assert.equal(published(replica, other, "test"), undefined);
    assert.equal(replica.read(amountsKey(workspaceId, "live", "another")), '{"USD":600}');
  });

  it("continue counting after a restart, on an empty replica too", async () => {
    const workspaceId = newId("ws");
    const first = trackerOf("node_a", pool, await createReplica());
    count(first, times(300, 60), { workspaceId });
    await first.refresh();
    const replica = await createReplica();
    const second = trackerOf("node_a", pool, replica);
    count(second, times(300, 39), { workspaceId });
    await second.refresh();
    assert.deepEqual(published(replica, workspaceId), {}, "99");
    count(second, [300], { workspaceId });
    await second.refresh();
    assert.deepEqual(published(replica, workspaceId), { USD: 300 });
    const third = trackerOf("node_a", pool, replica);
    await third.refresh();
    await third.refresh();
    const { rows } = await pool.query(
      "select decision_count::int from merchant_amounts where workspace_id = $1",
      [idToHex(workspaceId)],
    );
    assert.deepEqual(rows, [{ decision_count: 100 }], "nothing is counted twice");
  });

  it("lose nothing that is counted while they are saved", async () => {
    const replica = await createReplica();
    const workspaceId = newId("ws");
    let during = times(800, 40);
    const tracker = trackerOf("node_a", pool, replica, {
      async save(amounts) {
        const saving = saveAmounts(pool, amounts);
        count(tracker, during, { workspaceId });
        during = [];
        await saving;
      },
    });
    count(tracker, times(800, 60), { workspaceId });
    await tracker.refresh();
    assert.deepEqual(published(replica, workspaceId), {});
    await tracker.refresh();
    assert.deepEqual(published(replica, workspaceId), { USD: 800 });
  });

  it("are saved and read after PostgreSQL was away, however long", async () => {
    const [replicaA, replicaB] = [await createReplica(), await createReplica()];
    const [workspaceId, own] = [newId("ws"), newId("ws")];
    let away = false;
    const whileHere = <T>(run: () => Promise<T>): Promise<T> =>
      away ? Promise.reject(new Error("PostgreSQL is away")) : run();
    const a = trackerOf("node_a", pool, replicaA, {
      save: (amounts) => whileHere(() => saveAmounts(pool, amounts)),
      loadChanged: (withinSeconds) => whileHere(() => loadChangedAmounts(pool, withinSeconds)),
    });
    const b = trackerOf("node_b", pool, replicaB);
    await Promise.all([a.refresh(), b.refresh()]);
    away = true;
    count(a, times(300, 100), { workspaceId: own });
    count(b, times(600, 100), { workspaceId });
    await assert.rejects(a.refresh());
    await b.refresh();
    await pool.query("update merchant_amounts set updated_at = now() - interval '1 hour'");
    away = false;
    await a.refresh();
    assert.deepEqual(published(replicaA, own), { USD: 300 });
    assert.deepEqual(published(replicaA, workspaceId), { USD: 600 });
  });

  it("are left alone once nothing changes", async () => {
    const replica = await createReplica();
    const tracker = trackerOf("node_a", pool, replica);
    await pool.query("delete from merchant_amounts");
    count(tracker, times(600, 100), { workspaceId: newId("ws") });
    await tracker.refresh();
    await pool.query("update merchant_amounts set updated_at = now() - interval '1 hour'");
    const { catalog } = replica.refresh();
    await tracker.refresh();
    assert.equal(replica.refresh().catalog, catalog);
  });
});

describe("refreshed each minute", () => {
  it("RISK-13: the writer refreshes at its start, and after 60 s and not before", async () => {
    const { journal } = await createDataDir();
    let refreshes = 0;
    const tracker = trackerOf("node_minute", pool, await createReplica());
    mock.timers.enable({ apis: ["setInterval"] });
    const actor = createWriterActor({
      journal,
      writer: createDecisionWriter(pool, { nodeId: "node_minute" }),
      amounts: {
        add: tracker.add,
        async refresh() {
          await tracker.refresh();
          refreshes++;
        },
      },
      report: () => undefined,
      now: Date.now,
    });
    const running = actor.run();
    try {
      const untilRefreshed = (expected: number) => eventually(async () => assert.equal(refreshes, expected));
      await untilRefreshed(1);
      mock.timers.tick(59_999);
      await tracker.refresh();
      assert.equal(refreshes, 1);
      mock.timers.tick(1);
      await untilRefreshed(2);
      mock.timers.tick(60_000);
      await untilRefreshed(3);
    } finally {
      mock.timers.reset();
      actor.command({ type: "stop", deadlineMs: 5000 });
      await running;
    }
  });
});
