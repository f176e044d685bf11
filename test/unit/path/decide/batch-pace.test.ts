import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createBatchPace,
  paced,
  type BatchPace,
  createPrecedence,
  withLoopTurns,
} from "../../../../src/path/decide/batch-pace.js";
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

/**
 * A worker in real time that decides a batch each `everyMs`, and then checks the journal. Returns its requests to the
 * scheduler, one entry for each check.
 */
function asked(agesMs: readonly number[], everyMs = 250): (boolean | undefined)[] {
  let nowMs = 0;
  let ageMs = 0;
  let wanted: boolean | undefined;
  const look = createPrecedence({
    journalAgeMs: () => ageMs,
    schedule: (realTime) => (wanted = realTime),
    now: () => nowMs,
  });
  return agesMs.map((age) => {
    nowMs += everyMs;
    ageMs = age;
    wanted = undefined;
    look();
    return wanted;
  });
}

describe("a decide worker in real time", () => {
  it("goes first while the writer is at most two seconds behind", () => {
    assert.deepEqual(asked([0, 500, 1999, 2000]), [undefined, undefined, undefined, undefined]);
  });

  it("gives way beyond that, once", () => {
    assert.deepEqual(asked([2001, 60_000, 2001]), [false, undefined, undefined]);
  });

  it("goes first again when the writer is less than half a second behind", () => {
    assert.deepEqual(asked([2001, 1999, 500, 499, 0, 2001]), [
      false,
      undefined,
      undefined,
      true,
      undefined,
      false,
    ]);
  });

  it("looks at the journal four times a second, however many batches there are", () => {
    const looks = asked(
      Array.from({ length: 30 }, () => 2001),
      10,
    );
    assert.deepEqual(
      looks.flatMap((wanted, index) => (wanted === false ? [index] : [])),
      [24],
    );
  });
});

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
