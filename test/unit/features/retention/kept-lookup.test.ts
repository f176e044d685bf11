import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keptDays, keptSinceMs } from "../../../../src/domain/vocabulary/tuning/retention.js";
import { createKeptLookup } from "../../../../src/features/retention/service.js";
import { newId } from "../../../support/rows/decision-rows.js";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 20);

describe("how long decisions are kept", () => {
  it("RET-3: the shorter of both limits holds", () => {
    const cases: [service: number, own: number | null, days: number | null][] = [
      [400, null, 400],
      [400, 30, 30],
      [30, 90, 30],
      [0, null, null],
      [0, 30, 30],
    ];
    for (const [service, own, days] of cases) assert.equal(keptDays(service, own), days);
    assert.equal(keptSinceMs(null, NOW_MS), 0);
    assert.equal(keptSinceMs(1, NOW_MS), NOW_MS - DAY_MS);
  });

  it("RET-6: an id alone shows whether its decision is kept, to the millisecond", () => {
    let own: number | null = null;
    let read = 0;
    const replica = {
      refresh: () => ({ catalog: read++, health: 0 }),
      read: () =>
        JSON.stringify({
          status: "active",
          default_decision_mode: null,
          risk_block_threshold: null,
          retention_days: own,
        }),
    };
    const isKept = createKeptLookup(replica, 400, () => NOW_MS);
    const ofAge = (ageMs: number): boolean => isKept("ws_1", newId("dec", NOW_MS - ageMs));
    assert.deepEqual([ofAge(400 * DAY_MS), ofAge(400 * DAY_MS + 1)], [true, false]);
    own = 2;
    assert.deepEqual([ofAge(2 * DAY_MS), ofAge(2 * DAY_MS + 1)], [true, false]);
    read = 0;
    assert.equal(ofAge(DAY_MS - 1), true);
    assert.equal(read, 0);
  });
});
