import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createBatchLane, type BatchLane } from "../../../../../src/path/decide/pool/batch-lane.js";
import type { Hold, Job } from "../../../../../src/path/decide/pool/batch-run.js";
import type { BatchReply } from "../../../../../src/path/decide/pool/messages.js";
import { createTaskSlots, slotNumbers } from "../../../../../src/path/decide/pool/task-slots.js";
import { TUNING } from "../../../../../src/domain/vocabulary/tuning.js";

const REPLY: BatchReply = { sequence: 0, journalError: null, bug: null };

interface LaneUnderTest {
  lane: BatchLane<Job<string>>;
  answered: string[];
  /** Adds jobs and lets the turn end. */
  add(jobs: number): Promise<void>;
  /** The sizes of the tasks under way, oldest first. */
  underWay(): number[];
  /** Ends the oldest task under way. */
  endOldest(): Promise<void>;
}

interface LaneOptions {
  /** What each reply waits for. By default, nothing does. */
  hold?: () => Hold<string> | null;
  /** True for tasks that may wait for the shared cache. By default, none does. */
  waits?: boolean;
}

/** One lane of a pool with this many workers. */
function createLane(workers: number, { hold = () => null, waits = false }: LaneOptions = {}): LaneUnderTest {
  const tasks: { size: number; end: () => void }[] = [];
  const answered: string[] = [];
  const lane = createBatchLane<Job<string>, string, BatchReply>({
    slots: createTaskSlots({ workers, ...slotNumbers(workers, true), onFree: () => lane.dispatch() }),
    waits: () => waits,
    hold,
    run: (jobs) => new Promise((resolve) => tasks.push({ size: jobs.length, end: () => resolve(REPLY) })),
    answerOf: () => "answered",
    unavailable: "unavailable",
    onBatch() {},
    onReply() {},
    onSettled() {},
    onWorkerError(error) {
      throw error;
    },
  });
  return {
    lane,
    answered,
    async add(jobs) {
      for (let job = 0; job < jobs; job++) {
        lane.add({ receivedAtMs: job, settle: (answer) => void answered.push(answer) });
      }
      await nextTurn();
    },
    underWay: () => tasks.map(({ size }) => size),
    async endOldest() {
      tasks.shift()?.end();
      await nextTurn();
      await nextTurn();
    },
  };
}

describe("a lane of the decision pool", () => {
  it("gives an idle worker all waiting requests", async () => {
    const { add, underWay } = createLane(2);
    await add(1);
    await add(2);
    assert.deepEqual(underWay(), [1, 2]);
  });

  it("keeps a few requests while every worker is busy, and adds those that arrive meanwhile", async () => {
    const { add, underWay, endOldest } = createLane(1);
    await add(1);
    await add(2);
    await add(3);
    assert.deepEqual(underWay(), [1]);
    await endOldest();
    assert.deepEqual(underWay(), [5]);
  });

  it("lets them go as soon as they are worth a task of their own", async () => {
    const { add, underWay } = createLane(1);
    await add(1);
    await add(TUNING.batchRequestsSmall - 1);
    assert.deepEqual(underWay(), [1]);
    await add(1);
    assert.deepEqual(underWay(), [1, TUNING.batchRequestsSmall]);
  });

  it("answers every request once, however they were put together", async () => {
    const { add, underWay, endOldest, answered } = createLane(1);
    const sizes = [1, 3, 40, 2, 200, 5];
    for (const size of sizes) await add(size);
    while (underWay().length > 0) await endOldest();
    assert.equal(
      answered.length,
      sizes.reduce((sum, size) => sum + size, 0),
    );
    assert.deepEqual(new Set(answered), new Set(["answered"]));
  });

  it("sends a few requests to a worker whose other tasks wait for the shared cache", async () => {
    const { add, underWay } = createLane(1, { waits: true });
    await add(1);
    await add(2);
    assert.deepEqual(underWay(), [1, 2]);
  });

  describe("whose answers wait for the mirror (DUR-17)", () => {
    const held = (): { hold: () => Hold<string>; release: (isKept: boolean) => Promise<void> } => {
      let settle: (isKept: boolean) => void = () => undefined;
      const released = new Promise<boolean>((resolve) => (settle = resolve));
      return {
        hold: () => ({ released, withheld: () => "withheld" }),
        async release(isKept) {
          settle(isKept);
          await nextTurn();
        },
      };
    };

    it("lets its worker go on with other tasks meanwhile", async () => {
      const { hold, release } = held();
      const { add, underWay, endOldest, answered } = createLane(1, { hold });
      for (let task = 0; task < 2 * TUNING.tasksPerWorkerMax; task++) {
        await add(TUNING.batchRequestsSmall);
        assert.deepEqual(underWay(), [TUNING.batchRequestsSmall]);
        await endOldest();
      }
      assert.deepEqual(answered, []);
      await release(true);
      assert.equal(answered.length, 2 * TUNING.tasksPerWorkerMax * TUNING.batchRequestsSmall);
      assert.deepEqual(new Set(answered), new Set(["answered"]));
    });

    it("keeps the slots of answers that wait, and starts nothing when none is left", async () => {
      const { hold, release } = held();
      const { add, underWay, endOldest } = createLane(1, { hold });
      for (let task = 0; task < slotNumbers(1, true).slotsMax; task++) {
        await add(TUNING.batchRequestsSmall);
        await endOldest();
      }
      await add(TUNING.batchRequestsSmall);
      assert.deepEqual(underWay(), []);
      await release(true);
      await nextTurn();
      assert.deepEqual(underWay(), [TUNING.batchRequestsSmall]);
    });

    it("has no more slots than there are lanes of ids, with as many workers as a node may have", () => {
      assert.deepEqual(slotNumbers(256, true), { tasksMax: 1024, slotsMax: 1024 });
      assert.deepEqual(slotNumbers(1, true), { tasksMax: 4, slotsMax: 16 });
      assert.deepEqual(slotNumbers(1, false), { tasksMax: 4, slotsMax: 4 });
    });

    it("does not answer what the mirror lacks", async () => {
      const { hold, release } = held();
      const { add, endOldest, answered } = createLane(1, { hold });
      await add(2);
      await endOldest();
      await release(false);
      assert.deepEqual(answered, ["withheld", "withheld"]);
    });

    it("gives up requests that wait for it too long", async () => {
      const { hold, release } = held();
      const { lane, add, endOldest, answered } = createLane(1, { hold });
      await add(1);
      await endOldest();
      lane.answerOverdue(Number.POSITIVE_INFINITY);
      assert.deepEqual(answered, ["unavailable"]);
      await release(true);
      assert.deepEqual(answered, ["unavailable"]);
    });
  });

  it("gives up requests that wait for a hanging worker", async () => {
    const { lane, add, answered } = createLane(1);
    await add(1);
    await add(2);
    lane.answerOverdue(Number.POSITIVE_INFINITY);
    assert.deepEqual(answered, ["unavailable", "unavailable", "unavailable"]);
  });
});
