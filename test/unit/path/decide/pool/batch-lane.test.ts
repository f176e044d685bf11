import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createBatchLane, type BatchLane, type Job } from "../../../../../src/path/decide/pool/batch-lane.js";
import type { BatchReply } from "../../../../../src/path/decide/pool/messages.js";
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

/** One lane of a pool with this many workers. */
function createLane(workers: number): LaneUnderTest {
  const freeSlots = Array.from({ length: workers * TUNING.tasksPerWorkerMax }, (_, slot) => slot);
  const slotsMax = freeSlots.length;
  const tasks: { size: number; end: () => void }[] = [];
  const answered: string[] = [];
  const lane = createBatchLane<Job<string>, string, BatchReply>({
    slots: {
      take: () => freeSlots.pop() ?? null,
      free(slot) {
        freeSlots.push(slot);
        lane.dispatch();
      },
      hasIdleWorker: () => slotsMax - freeSlots.length < workers,
    },
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

  it("gives up requests that wait for a hanging worker", async () => {
    const { lane, add, answered } = createLane(1);
    await add(1);
    await add(2);
    lane.answerOverdue(Number.POSITIVE_INFINITY);
    assert.deepEqual(answered, ["unavailable", "unavailable", "unavailable"]);
  });
});
