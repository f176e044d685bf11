import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { createBatchEncoder } from "../../../../src/path/journal/batch-codec.js";
import {
  compiled,
  createDataDir,
  healthyPool,
  submitDecision,
} from "../../../support/service/actor-parts.js";
import { decisionRecord } from "../../../support/rows/decision-records.js";
import { newId } from "../../../support/rows/decision-rows.js";
import { NO_REAL_TIME, realTimeThreads } from "../../../support/machine/scheduling.js";
import { eventually } from "../../../support/service/service.js";

describe("a thread that decides takes a core as soon as it has work", { skip: NO_REAL_TIME }, () => {
  it("a thread that asks for it does, and no thread that it starts", async (t) => {
    assert.deepEqual(realTimeThreads(), []);
    const worker = new Worker(compiled("test/support/workers/real-time-worker.js"));
    t.after(() => worker.terminate());
    const [id] = (await once(worker, "message")) as [string];
    assert.deepEqual(realTimeThreads(), [id]);
  });

  for (const realTime of [true, false]) {
    it(`decide workers ${realTime ? "do, each of them" : "do not if the setting is off"}`, async (t) => {
      const data = await createDataDir();
      const pool = healthyPool(data, 2, realTime);
      t.after(() => pool.close());
      await pool.warmUp();
      assert.equal(realTimeThreads().length, realTime ? 2 : 0);
    });
  }

  it("decide workers give way while their records wait, and go first again afterwards", async (t) => {
    const data = await createDataDir();
    const { journal } = data;
    const pool = healthyPool(data, 1, true);
    t.after(() => pool.close());
    await pool.warmUp();
    const old = decisionRecord("order", { decisionId: newId("dec", Date.now() - 60_000) });
    const sequence = journal.transaction(() => journal.append(createBatchEncoder().encode([old]), 1));
    /** A worker checks its scheduling after each decision. */
    const decidesWith = async (threads: number): Promise<void> => {
      await submitDecision(pool, data, "order");
      assert.equal(realTimeThreads().length, threads);
    };
    await eventually(() => decidesWith(0));
    journal.removeThrough(sequence);
    await eventually(async () => {
      // No writer removes this test's decisions from the journal, so the test does.
      journal.removeThrough(journal.lastSequence());
      await decidesWith(1);
    });
  });
});
