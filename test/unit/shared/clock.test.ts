import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { monotonicMs } from "../../../src/shared/clock.js";

const CLOCK = new URL("../../../src/shared/clock.js", import.meta.url).href;

describe("contract §4: decision_latency_ms spans two threads", () => {
  it("never reads earlier on a new thread than before on this one, also while cores are contended", async () => {
    const stamp = `import { parentPort } from "node:worker_threads";
      import { monotonicMs } from ${JSON.stringify(CLOCK)};
      parentPort.postMessage(monotonicMs());`;
    const readings = Array.from({ length: 24 }, () => {
      const before = monotonicMs();
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(stamp)}`));
      return new Promise<number>((resolve, reject) => {
        worker.once("message", (theirs: number) => resolve(theirs - before));
        worker.once("error", reject);
      });
    });
    for (const aheadMs of await Promise.all(readings)) assert.ok(aheadMs > 0, `${aheadMs} ms`);
  });
});
