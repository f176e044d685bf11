import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { watchStoring, type StoringWatch } from "../../../../src/path/writer/storing-watch.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";

const LIMIT_MS = TUNING.storedNothingMsMax;

let nowMs: number;
let reachable: boolean;
let committed: number;
let watch: StoringWatch;
beforeEach(() => {
  nowMs = 1000;
  reachable = true;
  committed = 0;
  watch = watchStoring({
    stalledAfterMs: LIMIT_MS,
    databaseIsReachable: () => reachable,
    committedSequence: () => committed,
    now: () => nowMs,
  });
});

describe("PostgreSQL that answers but stores none of the waiting records for 30 s", () => {
  it("is 30 s", () => assert.equal(LIMIT_MS, 30_000));

  it("OPS-5: counts from when something waits, to the millisecond", () => {
    watch.note({ position: 5, depthRecords: 0 });
    nowMs += LIMIT_MS;
    watch.note({ position: 5, depthRecords: 1 });
    nowMs += LIMIT_MS - 1;
    assert.equal(watch.isStalled(), false);
    nowMs += 1;
    assert.equal(watch.isStalled(), true);
  });

  it("starts again with each stored record, and ends with the last", () => {
    watch.note({ position: 5, depthRecords: 9 });
    nowMs += LIMIT_MS;
    assert.equal(watch.isStalled(), true);
    watch.note({ position: 6, depthRecords: 8 });
    assert.equal(watch.isStalled(), false);
    nowMs += LIMIT_MS;
    assert.equal(watch.isStalled(), true);
    watch.note({ position: 14, depthRecords: 0 });
    nowMs += LIMIT_MS;
    assert.equal(watch.isStalled(), false);
  });

  it("a writer that failed forgets its position; hearing it again is no progress", () => {
    watch.note({ position: 5, depthRecords: 9 });
    nowMs += LIMIT_MS - 1;
    watch.note({ position: -1, depthRecords: 14 });
    watch.note({ position: 5, depthRecords: 9 });
    nowMs += 1;
    assert.equal(watch.isStalled(), true);
  });

  it("records of an earlier process wait, though the position was never reported", () => {
    watch.note({ position: -1, depthRecords: 3 });
    nowMs += LIMIT_MS;
    assert.equal(watch.isStalled(), true);
  });

  it("a silent writer is noticed by the records acknowledged since its last report", () => {
    watch.note({ position: 5, depthRecords: 0 });
    committed = 6;
    watch.look();
    nowMs += LIMIT_MS;
    assert.equal(watch.isStalled(), true);
  });

  it("an outage does not count, because it is reported already; a return gets its 30 s", () => {
    watch.note({ position: 5, depthRecords: 9 });
    nowMs += LIMIT_MS;
    reachable = false;
    assert.equal(watch.isStalled(), false);
    nowMs += 10 * LIMIT_MS;
    watch.look();
    reachable = true;
    assert.equal(watch.isStalled(), false);
    nowMs += LIMIT_MS - 1;
    watch.look();
    assert.equal(watch.isStalled(), false);
    nowMs += 1;
    assert.equal(watch.isStalled(), true);
  });

  it("it is not stalled while nothing waits, however long that lasts", () => {
    watch.note({ position: 5, depthRecords: 0 });
    committed = 5;
    nowMs += 100 * LIMIT_MS;
    watch.look();
    assert.equal(watch.isStalled(), false);
  });
});
