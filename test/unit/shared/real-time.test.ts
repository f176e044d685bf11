import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { compiled, createDataDir, healthyPool } from "../../support/actor-parts.js";
import { NO_REAL_TIME, realTimeThreads } from "../../support/scheduling.js";

describe("what decides takes a core as soon as it has something to do", { skip: NO_REAL_TIME }, () => {
  it("a thread that asks for it does, and no thread that it starts", async (t) => {
    assert.deepEqual(realTimeThreads(), []);
    const worker = new Worker(compiled("test/support/real-time-worker.js"));
    t.after(() => worker.terminate());
    const [id] = (await once(worker, "message")) as [string];
    assert.deepEqual(realTimeThreads(), [id]);
  });

  for (const realTime of [true, false]) {
    it(`decide workers ${realTime ? "do, each of them" : "do not where they are told not to"}`, async (t) => {
      const data = await createDataDir();
      const pool = healthyPool(data, 2, realTime);
      t.after(() => pool.close());
      await pool.warmUp();
      assert.equal(realTimeThreads().length, realTime ? 2 : 0);
    });
  }
});
