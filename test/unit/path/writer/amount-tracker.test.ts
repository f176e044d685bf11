import assert from "node:assert/strict";
import { before, describe, it, mock } from "node:test";
import type { Pool } from "pg";
import {
  createAmountTracker,
  type AmountTracker,
  addAmount,
  addCounts,
  amountBucketMax,
  createAmountSketch,
  normalAmountMax,
  toCounts,
  type AmountSketch,
} from "../../../../src/path/writer/amount-tracker.js";
import { createWriterActor } from "../../../../src/path/writer/writer-actor.js";
import { loadChangedAmounts, saveAmounts } from "../../../../src/path/writer/amount-queries.js";
import { createDecisionWriter } from "../../../../src/path/writer/decision-writer.js";
import { amountsKey, openReplica, type Replica } from "../../../../src/path/replica/replica.js";
import type { DecisionRecord } from "../../../../src/path/journal/decision-record.js";
import { idToHex } from "../../../../src/domain/ids/ids.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";
import type { Mode } from "../../../../src/domain/vocabulary/vocabulary.js";
import { createDataDir } from "../../../support/service/actor-parts.js";
import { closeLater } from "../../../support/closing.js";
import { newId } from "../../../support/rows/decision-rows.js";
import { decisionRecord } from "../../../support/rows/decision-records.js";
import { decisionsOf, trackerOf, viewsOf } from "../../../support/rows/merchant-amounts.js";
import { createTestDatabase, temporaryDir } from "../../../support/postgres/postgres.js";
import { eventually } from "../../../support/service/service.js";
import fc from "fast-check";

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

  it("RISK-13: are counted for a workspace although another one has named more merchants than a node counts", async () => {
    const saved: string[] = [];
    const tracker = createAmountTracker({
      nodeId: "node_a",
      save: (amounts) => Promise.resolve(amounts.forEach(({ workspaceId }) => saved.push(workspaceId))),
      loadChanged: () => Promise.resolve([]),
      publish: () => assert.fail("nothing is stored"),
    });
    const [crowd, other] = [newId("ws"), newId("ws")];
    const record = decisionRecord("order", { workspaceId: crowd });
    const named = Array.from({ length: TUNING.amountSketchesMax }, (_, i) => `merchant_${i}`);
    for (const row of viewsOf(named.map((merchantId) => ({ ...record, merchantId })))) tracker.add(row);
    count(tracker, [1000], { workspaceId: other });
    await tracker.refresh();
    const ofCrowd = saved.filter((workspaceId) => workspaceId === crowd).length;
    assert.deepEqual([ofCrowd, saved.length - ofCrowd], [TUNING.amountSketchesMax / 2, 1]);
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

function sketchOf(amounts: readonly number[]): AmountSketch {
  const sketch = createAmountSketch();
  for (const amount of amounts) addAmount(sketch, amount);
  return sketch;
}

const amountMinor = fc.oneof(
  fc.integer({ min: 1, max: 5000 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);

describe("a merchant's 99th-percentile amount", () => {
  it("RISK-13: is not known below 100 decisions, and is from 100 on", () => {
    const sketch = sketchOf(Array.from({ length: 99 }, () => 500));
    assert.equal(normalAmountMax(sketch), null);
    addAmount(sketch, 500);
    assert.equal(normalAmountMax(sketch), 500);
    assert.equal(normalAmountMax(createAmountSketch()), null);
  });

  it("is the nearest rank: of 1 to 100 the 99th, of 1 to 101 the 100th", () => {
    const first = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
    assert.equal(normalAmountMax(sketchOf(first(100))), 99);
    assert.equal(normalAmountMax(sketchOf(first(101))), 100);
    assert.equal(normalAmountMax(sketchOf(first(200))), 198);
    assert.equal(normalAmountMax(sketchOf(first(100).toReversed())), 99);
  });

  it("is exact below 1000 minor units, and at most 1 % above the true one from there on (property)", () => {
    fc.assert(
      fc.property(fc.array(amountMinor, { minLength: 100, maxLength: 300 }), (amounts) => {
        const exact = amounts.toSorted((a, b) => a - b)[Math.ceil(amounts.length * 0.99) - 1] as number;
        const found = normalAmountMax(sketchOf(amounts)) as number;
        assert.ok(found >= exact && found <= exact * 1.01, `${found} for ${exact}`);
        if (exact < 1000) assert.equal(found, exact);
      }),
    );
  });
});

describe("amount buckets", () => {
  it("round up to three significant digits", () => {
    for (const [amount, bucket] of [
      [1, 1],
      [999, 999],
      [1000, 1000],
      [1001, 1010],
      [1010, 1010],
      [9999, 10_000],
      [129_900, 130_000],
      [130_000, 130_000],
      [130_001, 131_000],
    ] as const) {
      assert.equal(amountBucketMax(amount), bucket);
    }
  });

  it("are their own bucket, grow with the amount and hold it (property)", () => {
    fc.assert(
      fc.property(amountMinor, amountMinor, (a, b) => {
        const [low, high] = a <= b ? [a, b] : [b, a];
        assert.ok(amountBucketMax(low) <= amountBucketMax(high));
        assert.ok(amountBucketMax(a) >= a && amountBucketMax(a) <= a * 1.01);
        assert.equal(amountBucketMax(amountBucketMax(a)), amountBucketMax(a));
      }),
    );
  });

  it("are at most 900 a decade", () => {
    const decade = Array.from({ length: 9000 }, (_, i) => 1000 + i);
    assert.ok(sketchOf(decade).counts.size <= 901);
  });
});

describe("sketches of several nodes", () => {
  it("add up to the sketch of all amounts, in any order (property)", () => {
    fc.assert(
      fc.property(fc.array(fc.array(amountMinor, { maxLength: 80 }), { maxLength: 5 }), (nodes) => {
        const merged = createAmountSketch();
        for (const amounts of nodes.toReversed()) addCounts(merged, toCounts(sketchOf(amounts)));
        const whole = sketchOf(nodes.flat());
        const sorted = ({ counts }: AmountSketch) => [...counts].toSorted(([a], [b]) => a - b);
        assert.deepEqual(sorted(merged), sorted(whole));
        assert.equal(merged.total, whole.total);
        assert.equal(normalAmountMax(merged), normalAmountMax(whole));
      }),
    );
  });
});
