import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareInBackground } from "../../../../src/path/changes/comparison.js";
import { oneAtATime } from "../../../../src/platform/timing/one-at-a-time.js";
import { recordCopies } from "../../../support/rows/record-copies.js";
import { eventually } from "../../../support/service/service.js";

describe("NODE-4: a comparison finds differences that no change reported", () => {
  it("continues round after round, and counts the repaired records", async () => {
    const stored = new Map(Array.from({ length: 10 }, (_, n) => [`m${n}`, "v1"]));
    const held = new Map(stored);
    const { kind } = recordCopies(stored, held);
    let mended = 0;
    const comparison = compareInBackground({
      kinds: [kind],
      pageRows: 3,
      inTurn: oneAtATime(),
      recordsPerSecond: 10_000,
      pauseMs: 1,
      mayCompare: () => true,
      onDifferences: (count) => (mended += count),
      onError: (error) => assert.fail(String(error)),
    });
    for (const [round, key] of ["m3", "m7", "m9"].entries()) {
      stored.set(key, "v2");
      await eventually(async () => assert.deepEqual([mended, held.get(key)], [round + 1, "v2"]));
    }
    stored.delete("m0");
    await eventually(async () => assert.equal(held.has("m0"), false));
    comparison.close();
  });

  it("rests while PostgreSQL is away, and starts again after an error", async () => {
    const stored = new Map([["a", "1"]]);
    const held = new Map<string, string>();
    const { kind } = recordCopies(stored, held);
    const errors: unknown[] = [];
    let isAway = true;
    const comparison = compareInBackground({
      kinds: [
        {
          ...kind,
          copy: (records) => (errors.length === 0 ? Promise.reject(new Error("lost")) : kind.copy(records)),
        },
      ],
      pageRows: 3,
      inTurn: oneAtATime(),
      recordsPerSecond: 10_000,
      pauseMs: 1,
      mayCompare: () => !isAway,
      onDifferences: () => undefined,
      onError: (error) => errors.push(error),
    });
    isAway = false;
    await eventually(async () => assert.deepEqual([errors.length, held.get("a")], [1, "1"]));
    comparison.close();
  });
});

describe("NODE-4: an older copy is never written after a newer one", () => {
  it("copies are made one after the other, also behind one that failed", async () => {
    const inTurn = oneAtATime();
    const order: string[] = [];
    const slow = inTurn(async () => {
      order.push("slow begins");
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push("slow ends");
      throw new Error("lost");
    });
    const quick = inTurn(async () => order.push("quick"));
    await assert.rejects(slow);
    await quick;
    assert.deepEqual(order, ["slow begins", "slow ends", "quick"]);
  });
});
