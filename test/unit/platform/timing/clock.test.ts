import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";

const CLOCK = new URL("../../../../src/platform/timing/clock.js", import.meta.url).href;

/** Loads the clock in a thread whose first reads of `performance.now()` are interrupted, as on a busy machine. */
const INTERRUPTED_THREAD = `
  const { parentPort } = require("node:worker_threads");
  const now = performance.now.bind(performance);
  let interruptions = 5;
  performance.now = () => {
    if (interruptions-- > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    return now();
  };
  import(${JSON.stringify(CLOCK)}).then(({ monotonicMs }) => {
    parentPort.on("message", () => parentPort.postMessage(monotonicMs()));
    parentPort.postMessage(monotonicMs());
  });
`;

describe("monotonicMs", () => {
  it("is one clock on every thread: a received time is never in the future", async () => {
    const { monotonicMs } = (await import(CLOCK)) as { monotonicMs(): number };
    const worker = new Worker(INTERRUPTED_THREAD, { eval: true });
    const answer = () => new Promise<number>((resolve) => worker.once("message", resolve));
    try {
      await answer();
      for (let i = 0; i < 100; i++) {
        const sent = monotonicMs();
        const answered = answer();
        worker.postMessage(null);
        const there = await answered;
        const received = monotonicMs();
        assert.ok(sent <= there && there <= received, `${sent} ${there} ${received}`);
      }
    } finally {
      await worker.terminate();
    }
  });
});
