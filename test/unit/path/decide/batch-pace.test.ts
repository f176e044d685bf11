import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBatchPace, paced, type BatchPace } from "../../../../src/path/decide/batch-pace.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";

const { batchRequestsSmall, batchRestMs, batchRestRequestsMin } = TUNING;

/** A pace on a clock that only rests and `waitMs` move. `rests` are the lengths of its rests in milliseconds. */
function createClockedPace(): { pace: BatchPace; rests: number[]; waitMs(ms: number): void } {
  let nowMs = 1000;
  const rests: number[] = [];
  const pace = createBatchPace(
    () => nowMs,
    (restMs) => {
      rests.push(restMs);
      nowMs += restMs;
    },
  );
  return { pace, rests, waitMs: (ms) => void (nowMs += ms) };
}

/**
 * Offers 200 batches of `requests` each. Each begins `everyMs` after the start of the previous one, and takes no time.
 */
function offer(clocked: ReturnType<typeof createClockedPace>, requests: number, everyMs: number): number[] {
  const { pace, rests, waitMs } = clocked;
  for (let batch = 0; batch < 200; batch++) {
    pace.begin(requests);
    pace.end();
    waitMs(everyMs);
  }
  return rests;
}

describe("the pace of a decide worker", () => {
  it("rests before a small batch that follows another at once, while requests come fast", () => {
    const rests = offer(createClockedPace(), 4, 0.01);
    assert.ok(rests.length > 150, `${rests.length} rests`);
    for (const restMs of rests) assert.ok(restMs > 0 && restMs <= batchRestMs, `${restMs} ms`);
  });

  it("rests only for the time left since the end of the previous batch", () => {
    const clocked = createClockedPace();
    offer(clocked, batchRequestsSmall, 0.1);
    assert.equal(clocked.rests.length, 0);
    clocked.waitMs(0.1);
    clocked.pace.begin(1);
    assert.deepEqual(
      clocked.rests.map((restMs) => restMs.toFixed(6)),
      [(batchRestMs - 0.2).toFixed(6)],
    );
  });

  it("never rests before a batch that is large enough", () => {
    assert.deepEqual(offer(createClockedPace(), batchRequestsSmall, 0.01), []);
  });

  it("never rests for one client that waits for each reply, nor at a modest rate", () => {
    const perMs = batchRestRequestsMin / batchRestMs;
    assert.deepEqual(offer(createClockedPace(), 1, 1.1 / perMs), []);
    assert.deepEqual(offer(createClockedPace(), 4, 4.4 / perMs), []);
  });

  it("forgets a rush once it is over", () => {
    const clocked = createClockedPace();
    offer(clocked, 4, 0.01);
    clocked.waitMs(100);
    clocked.rests.length = 0;
    clocked.pace.begin(1);
    clocked.pace.end();
    clocked.pace.begin(1);
    assert.deepEqual(clocked.rests, []);
  });

  it("counts the end of a batch that failed", () => {
    const events: string[] = [];
    const work = paced(
      { begin: (requests) => events.push(`begin ${requests}`), end: () => events.push("end") },
      (task: { requests: number }) => task.requests,
      () => {
        throw new Error("a bug");
      },
    );
    assert.throws(() => work({ requests: 3 }), /a bug/);
    assert.deepEqual(events, ["begin 3", "end"]);
  });
});
