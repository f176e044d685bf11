import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withLoopTurns } from "../../../../src/platform/threads/loop-turns.js";

describe("reliability: memory is flat, though an idle decide worker does not return to its event loop", () => {
  it("the loop turns before every 64th batch, whichever of the two kinds it is, and the others do not wait", async () => {
    const turning = withLoopTurns();
    let turns = 0;
    const decide = turning((task: number) => ({ task, turns }));
    const report = turning((task: string) => ({ task, turns }));
    for (let batch = 1; batch < 64; batch++) {
      const kind = batch % 2 === 0;
      assert.deepEqual(kind ? decide(batch) : report("one"), { task: kind ? batch : "one", turns: 0 });
    }
    setImmediate(() => turns++);
    const last = decide(64);
    assert.ok(last instanceof Promise);
    assert.deepEqual(await last, { task: 64, turns: 1 });
    assert.deepEqual(decide(65), { task: 65, turns: 1 });
  });
});
