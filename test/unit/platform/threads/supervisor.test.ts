import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { superviseThread } from "../../../../src/platform/threads/supervisor.js";
import { compiled } from "../../../support/service/actor-parts.js";
import type { SlowLoadingData } from "../../../support/workers/slow-loading-worker.js";

/** Stops a thread while it still loads. Returns whether it ended by itself. */
async function endsByItself(loadMsMax: number): Promise<boolean> {
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const thread = superviseThread<"stop", never>({
    name: "slow",
    file: compiled("test/support/workers/slow-loading-worker.js"),
    workerData: { loadMs: 800, ended } satisfies SlowLoadingData,
    loadMsMax,
    onReport: () => undefined,
    onCrash: () => undefined,
  });
  await thread.stop("stop", 50);
  return ended[0] === 1;
}

describe("a thread that is asked to stop while it is being loaded", () => {
  it("is ended by force when its time is over", async () => assert.equal(await endsByItself(0), false));

  it("comes to the order first where it opens LMDB, in which it would never end", async () =>
    assert.equal(await endsByItself(60_000), true));
});
