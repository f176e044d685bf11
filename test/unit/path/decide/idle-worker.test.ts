import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openReplica } from "../../../../src/path/replica/replica.js";
import { createDataDir, healthyPool, submitDecision } from "../../../support/service/actor-parts.js";
import { heldSnapshots } from "../../../support/machine/held-snapshots.js";

describe("LMDB may use its pages again: no state is held", () => {
  it("a decide worker that waits for its next task holds none", async (t) => {
    const data = await createDataDir();
    const pool = healthyPool(data, 2);
    t.after(() => pool.close());
    await pool.warmUp();
    assert.deepEqual(await held(data.dataDir), { replica: 0, journal: 0 });
    for (let batch = 0; batch < 5; batch++) {
      await submitDecision(pool, data, `order ${batch}`, `key ${batch}`);
      assert.deepEqual(await held(data.dataDir), { replica: 0, journal: 0 }, `after batch ${batch}`);
    }
  });

  it("a thread that has read the journal holds none", async () => {
    const { dataDir, journal } = await createDataDir();
    journal.transaction(() => journal.append(Buffer.alloc(20_000, 1), 1));
    for (const read of [
      () => journal.lastSequence(),
      () => journal.stats(),
      () => journal.readAfter(0, 1),
      () => journal.oldestAfter(0),
      () => assert.throws(() => journal.reading(() => assert.fail("what reads may throw"))),
    ]) {
      read();
      assert.equal((await held(dataDir)).journal, 0, String(read));
    }
    journal.reading(() => journal.entryAfter(0));
    assert.equal((await held(dataDir)).journal, 0);
  });

  it("a reader that lets go of the replica holds none", async (t) => {
    const { dataDir } = await createDataDir();
    const replica = openReplica(dataDir);
    t.after(() => replica.close());
    replica.refresh();
    assert.equal((await held(dataDir)).replica, 1);
    replica.refresh();
    replica.release();
    assert.equal((await held(dataDir)).replica, 0);
  });
});

async function held(dataDir: string): Promise<{ replica: number; journal: number }> {
  const [replica, journal] = await Promise.all(
    ["replica", "journal"].map((name) => heldSnapshots(join(dataDir, name))),
  );
  return { replica: replica as number, journal: journal as number };
}
