import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPace, type PaceOptions } from "../../../../src/platform/timing/pace.js";

/** A pace with a clock of its own, and the rests that it made. */
function paced(options: Partial<PaceOptions> = {}) {
  const rests: number[] = [];
  let nowMs = 1000;
  const pace = createPace({
    workShare: 0.2,
    restMsMax: 1000,
    longRestMs: 5000,
    monotonicMs: () => nowMs,
    sleep: (ms) => {
      rests.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
    ...options,
  });
  return { pace, rests, work: (ms: number) => (nowMs += ms) };
}

describe("the pace of background work", () => {
  it("a rest is in proportion to the work since the last rest, and no longer than the most", async () => {
    const { pace, rests, work } = paced();
    for (const ms of [10, 50, 400]) {
      work(ms);
      await pace.rest();
    }
    assert.deepEqual(rests.map(Math.round), [40, 200, 1000]);
  });

  it("work too short for a timer counts at a later rest", async () => {
    const { pace, rests, work } = paced();
    for (let step = 0; step < 4; step++) {
      work(0.125);
      await pace.rest();
    }
    assert.deepEqual(rests, [1, 1]);
  });

  it("a long rest takes the same time whatever the work took, and pays for that work", async () => {
    const { pace, rests, work } = paced();
    work(3);
    await pace.restLong();
    await pace.rest();
    assert.deepEqual(rests, [5000]);
  });

  it("work that may take all the time never rests, and a share of nothing is refused", async () => {
    const { pace, rests, work } = paced({ workShare: 1 });
    work(10_000);
    await pace.rest();
    assert.deepEqual(rests, []);
    for (const workShare of [0, -1, 1.1, NaN]) assert.throws(() => paced({ workShare }), RangeError);
  });
});
