import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareInBackground, copyAllOf } from "../../../src/changes/copy-all.js";
import { oneAtATime } from "../../../src/changes/one-at-a-time.js";
import type { RecordCopy } from "../../../src/changes/record-copy.js";
import type { RecordKey } from "../../../src/persistence/copied-records.js";
import { eventually } from "../../support/service.js";

const record = (key: string): RecordKey => ({ workspaceId: "ws_1", key });

/** Records by their key; what is stored is what they are copied to. */
function situation(stored: Map<string, string>, held: Map<string, string>) {
  const pages: string[][] = [];
  const list = (of: Map<string, string>) => (after: RecordKey | null, limit: number) =>
    [...of.keys()]
      .toSorted()
      .filter((key) => after === null || key > after.key)
      .slice(0, limit)
      .map(record);
  const kind: RecordCopy = {
    async copy(records) {
      pages.push(records.map(({ key }) => key));
      let differing = 0;
      for (const { key } of records) {
        const value = stored.get(key);
        if (held.get(key) === value) continue;
        differing++;
        if (value === undefined) held.delete(key);
        else held.set(key, value);
      }
      return differing;
    },
    stored: async (after, limit) => list(stored)(after, limit),
    held: list(held),
  };
  return { kind, pages };
}

describe("contract-2 §19: a comparison finds what no change told of", () => {
  it("what is missing, what differs and what is gone, a page at a time", async () => {
    const stored = new Map([
      ["a", "1"],
      ["b", "2"],
      ["c", "3"],
      ["d", "4"],
    ]);
    const held = new Map([
      ["b", "old"],
      ["c", "3"],
      ["x", "gone"],
    ]);
    const { kind, pages } = situation(stored, held);
    assert.equal(await copyAllOf(kind, { pageRows: 2, inTurn: oneAtATime() }), 4);
    assert.deepEqual(held, stored);
    assert.deepEqual(pages, [["b", "c"], ["x"], ["a", "b"], ["c", "d"]]);
  });

  it("goes on round after round, and says how many it mended", async () => {
    const stored = new Map(Array.from({ length: 10 }, (_, n) => [`m${n}`, "v1"]));
    const held = new Map(stored);
    const { kind } = situation(stored, held);
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

  it("rests while PostgreSQL is away, and begins anew after an error", async () => {
    const stored = new Map([["a", "1"]]);
    const held = new Map<string, string>();
    const { kind } = situation(stored, held);
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

describe("contract-2 §19: an older copy is never written after a newer one", () => {
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
