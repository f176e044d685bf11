import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";
import { attemptTimesMs } from "../../../../src/path/attempts/attempt-list.js";
import { orderAttemptKey } from "../../../../src/path/attempts/attempt-store.js";
import { createDataDir } from "../../../support/service/actor-parts.js";

const DAY_MS = 86_400_000;
const WINDOW_MS = LIMITS.retryAttemptsWindowSeconds * 1000;
/** The first millisecond of a day. */
const TODAY_MS = Date.UTC(2026, 10, 26);

let made = 0;
function idAt(timeMs: number): Buffer {
  const id = Buffer.alloc(16);
  id.writeUIntBE(timeMs, 0, 6);
  id.writeUInt32BE(++made, 12);
  return id;
}
const keyOf = (order: string): Buffer => orderAttemptKey("ws_1", "test", "shop", order);

async function createStore() {
  const { journal } = await createDataDir();
  const { attempts } = journal;
  return {
    add: (order: string, timeMs: number) =>
      journal.transaction(() => attempts.add(keyOf(order), idAt(timeMs))),
    timesOf: (order: string) => journal.reading(() => attemptTimesMs(attempts.find(keyOf(order)))),
    sweep: (nowMs: number, limit = 100) => journal.transaction(() => attempts.sweep(nowMs, limit)),
    position: () => journal.reading(() => attempts.position()),
    move: (position: string) => journal.transaction(() => attempts.movePosition(position)),
  };
}

describe("the attempts in the journal", () => {
  it("RTRY-14: each order has its own, by workspace, mode, merchant and order", () => {
    const keys = [
      keyOf("a"),
      keyOf("b"),
      orderAttemptKey("ws_2", "test", "shop", "a"),
      orderAttemptKey("ws_1", "live", "shop", "a"),
      orderAttemptKey("ws_1", "test", "shop2", "a"),
    ].map((key) => key.toString("hex"));
    assert.equal(new Set(keys).size, keys.length);
  });

  it("are found in the order of their time, and an unknown order has none", async () => {
    const store = await createStore();
    for (const age of [1, 3, 2]) store.add("a", TODAY_MS - age);
    assert.deepEqual(store.timesOf("a"), [TODAY_MS - 3, TODAY_MS - 2, TODAY_MS - 1]);
    assert.deepEqual(store.timesOf("b"), []);
  });

  it("RTRY-15: an order leaves once its last attempt's day is 30 days ago, and no sooner", async () => {
    const store = await createStore();
    store.add("old", TODAY_MS - 1);
    store.add("moved", TODAY_MS - 1);
    store.add("moved", TODAY_MS);
    assert.deepEqual(store.sweep(TODAY_MS + WINDOW_MS - 1), { looked: 0, forgotten: 0 });
    assert.deepEqual(store.sweep(TODAY_MS + WINDOW_MS), { looked: 1, forgotten: 0 });
    assert.deepEqual([store.timesOf("old").length, store.timesOf("moved").length], [0, 2]);
    assert.deepEqual(store.sweep(TODAY_MS + WINDOW_MS + DAY_MS), { looked: 1, forgotten: 0 });
    assert.deepEqual(store.timesOf("moved"), []);
    assert.deepEqual(store.sweep(TODAY_MS + 90 * DAY_MS), { looked: 0, forgotten: 0 });
  });

  it("RTRY-15: a sweep looks at no more than it may", async () => {
    const store = await createStore();
    for (let i = 0; i < 5; i++) store.add(`order_${i}`, TODAY_MS - 60 * DAY_MS);
    assert.deepEqual(
      [2, 2, 2].map((limit) => store.sweep(TODAY_MS, limit).looked),
      [2, 2, 1],
    );
  });

  it("RTRY-17: how far other nodes' attempts were read is kept with them", async () => {
    const store = await createStore();
    assert.equal(store.position(), null);
    store.move('{"snapshot":"1:2:"}');
    assert.equal(store.position(), '{"snapshot":"1:2:"}');
  });
});
