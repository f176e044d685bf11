import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import {
  createSteadyClock,
  JUMP_MS,
  STANDS_AFTER_MS,
  steadyClockMemory,
  type ClockChange,
} from "../../../../src/platform/timing/clock.js";

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

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const YEAR_MS = 365 * 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 10, 26, 12);

/**
 * A host whose clocks the test sets, and two threads of one process on it. One thread looks every second, and the
 * other never looks.
 */
function host() {
  let trueMs = START_MS;
  let jumpedMs = 0;
  let suspendedMs = 0;
  const memory = steadyClockMemory();
  const clocks = {
    wall: () => trueMs + jumpedMs,
    monotonic: () => trueMs - START_MS - suspendedMs + 7.25,
    sinceBoot: () => Math.floor((trueMs - START_MS + 90_000) / 10) * 10,
  };
  const looking = createSteadyClock(clocks, memory);
  const other = createSteadyClock(clocks, memory);
  const changes: ClockChange["kind"][] = [];
  return {
    changes,
    other,
    trueMs: () => trueMs,
    /** Returns how far the process's clock is from the true time. It must be the same on both threads. */
    wrongMs(): number {
      assert.equal(looking.now(), other.now());
      return other.now() - trueMs;
    },
    jump: (byMs: number) => void (jumpedMs += byMs),
    pass(ms: number): void {
      for (let left = ms; left > 0; left -= SECOND_MS) {
        trueMs += Math.min(SECOND_MS, left);
        const change = looking.look();
        if (change !== null) changes.push(change.kind);
      }
    },
    suspend(ms: number): void {
      trueMs += ms;
      suspendedMs += ms;
    },
  };
}

const JUMPS: readonly [string, number][] = [
  ["10 minutes ahead", 10 * MINUTE_MS],
  ["10 minutes back", -10 * MINUTE_MS],
  ["a year ahead", YEAR_MS],
  ["a year back", -YEAR_MS],
];

describe("a clock that jumps", () => {
  for (const byMs of [SECOND_MS, -SECOND_MS, JUMP_MS, -JUMP_MS]) {
    it(`CLOCK-1: is followed over ${byMs} ms`, () => {
      const { jump, pass, wrongMs, changes } = host();
      pass(3 * SECOND_MS);
      jump(byMs);
      assert.equal(wrongMs(), byMs);
      pass(SECOND_MS);
      assert.equal(wrongMs(), byMs);
      assert.deepEqual(changes, []);
    });
  }

  it("CLOCK-5: has no error while it is followed, even between two looks at it", () => {
    let lookedAt = 0;
    const wall = (): number => START_MS + lookedAt++;
    const clock = createSteadyClock({ wall, monotonic: () => 0, sinceBoot: () => 0 }, steadyClockMemory());
    assert.equal(clock.offsetMs(), 0);
    assert.ok(lookedAt > 1);
  });

  it("CLOCK-1: follows a clock that is set in small steps", () => {
    const { jump, pass, wrongMs, changes } = host();
    for (let i = 0; i < 100; i++) {
      jump(JUMP_MS / 2);
      pass(SECOND_MS);
    }
    assert.equal(wrongMs(), 50 * JUMP_MS);
    assert.deepEqual(changes, []);
  });

  for (const [title, byMs] of JUMPS) {
    it(`CLOCK-2, CLOCK-5: ${title}: time continues, and the offset is the difference`, () => {
      const { jump, pass, wrongMs, other, changes } = host();
      pass(3 * SECOND_MS);
      assert.equal(other.offsetMs(), 0);
      jump(byMs);
      assert.equal(wrongMs(), 0, "before anybody has looked");
      assert.equal(other.offsetMs(), byMs);
      pass(STANDS_AFTER_MS - SECOND_MS);
      assert.equal(wrongMs(), 0);
      assert.equal(other.offsetMs(), byMs);
      assert.deepEqual(changes, ["jumped"]);
    });

    it(`CLOCK-3: ${title}, and back: right at once, and nothing was wrong between`, () => {
      const { jump, pass, wrongMs, changes } = host();
      pass(3 * SECOND_MS);
      jump(byMs);
      pass(30 * SECOND_MS);
      jump(-byMs);
      assert.equal(wrongMs(), 0);
      pass(10 * MINUTE_MS);
      assert.equal(wrongMs(), 0);
      assert.deepEqual(changes, ["jumped", "returned"]);
    });

    it(`CLOCK-3: ${title}: followed after it has stood, and right at once when it is back`, () => {
      const { jump, pass, wrongMs, other, changes } = host();
      pass(3 * SECOND_MS);
      jump(byMs);
      pass(STANDS_AFTER_MS + SECOND_MS);
      assert.equal(wrongMs(), byMs);
      assert.equal(other.offsetMs(), 0);
      assert.deepEqual(changes, ["jumped", "followed"]);
      pass(HOUR_MS);
      jump(-byMs);
      assert.equal(wrongMs(), 0, "before anybody has looked");
      pass(10 * MINUTE_MS);
      assert.equal(wrongMs(), 0);
      assert.deepEqual(changes, ["jumped", "followed", "returned"]);
      jump(byMs);
      assert.equal(wrongMs(), byMs, "it was there for an hour: it is where it was before");
    });
  }

  it("CLOCK-3: a clock that jumps again is not steady", () => {
    const { jump, pass, wrongMs, changes } = host();
    pass(SECOND_MS);
    for (let i = 0; i < 10; i++) {
      jump(10 * MINUTE_MS);
      pass(30 * SECOND_MS);
    }
    assert.equal(wrongMs(), 0);
    assert.deepEqual(new Set(changes), new Set(["jumped"]));
  });

  for (const [title, ms] of [
    ["10 minutes", 10 * MINUTE_MS],
    ["a year", YEAR_MS],
  ] as const) {
    it(`CLOCK-4: a machine that was suspended for ${title} has the right time at once, without a report`, () => {
      const { suspend, pass, wrongMs, changes } = host();
      pass(3 * SECOND_MS);
      suspend(ms);
      assert.equal(wrongMs(), 0);
      pass(10 * MINUTE_MS);
      assert.equal(wrongMs(), 0);
      assert.deepEqual(changes, []);
    });
  }

  it("CLOCK-4: a machine that is suspended while its clock is wrong is right as it was before", () => {
    const { suspend, jump, pass, wrongMs } = host();
    pass(3 * SECOND_MS);
    jump(YEAR_MS);
    pass(10 * SECOND_MS);
    suspend(HOUR_MS);
    jump(-YEAR_MS);
    assert.equal(wrongMs(), 0);
  });

  it("CLOCK-2: time neither stops nor goes back by more than the limit of a jump, for any faults of less than a minute", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            byMs: fc.oneof(
              fc.integer({ min: -YEAR_MS, max: YEAR_MS }),
              fc.integer({ min: -JUMP_MS, max: JUMP_MS }),
            ),
            forMs: fc.integer({ min: 1, max: 59 * SECOND_MS }),
          }),
          { maxLength: 20 },
        ),
        (steps) => {
          const { jump, pass, wrongMs } = host();
          pass(SECOND_MS);
          for (const { byMs, forMs } of steps) {
            const beforeMs = wrongMs();
            jump(byMs);
            pass(forMs);
            jump(-byMs);
            assert.ok(Math.abs(wrongMs() - beforeMs) <= JUMP_MS);
            pass(SECOND_MS);
          }
          assert.ok(Math.abs(wrongMs()) <= JUMP_MS);
        },
      ),
    );
  });
});
