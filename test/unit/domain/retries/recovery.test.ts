import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  Recoveries,
  recoveryProbability,
  RecoveryMonitor,
  type RecoveryRow,
  type RetryOutcomes,
} from "../../../../src/domain/retries/recovery.js";

const START_MS = Date.UTC(2026, 10, 20);
const KIND = { code: "51", attempt: 2, provider: "provider_1" };
const HALF_LIFE_MS = 209_600_000;

function retried(fields: Partial<RetryOutcomes> = {}): RetryOutcomes {
  return { workspaceId: "ws_a", mode: "live", ...KIND, approved: true, atMs: START_MS, count: 1, ...fields };
}

describe("RTRY-19: the chance that a retry is approved", () => {
  it("is the prior where nothing is known, and each level adds its own outcomes once", () => {
    assert.equal(recoveryProbability([], KIND, 0.8), 0.8);
    const rows: RecoveryRow[] = [
      ["51", 2, "provider_1", 10, 1],
      ["51", 2, "provider_2", 20, 4],
      ["51", 3, "provider_1", 40, 30],
      ["05", 2, "provider_1", 1000, 1000],
    ];
    const ofCode = (30 + 50 * 0.8) / 90;
    const ofNumber = (4 + 50 * ofCode) / 70;
    assert.ok(Math.abs(recoveryProbability(rows, KIND, 0.8) - (1 + 50 * ofNumber) / 60) < 1e-12);
  });

  it("lies between 0 and 1, rises with an approval and falls with a decline", () => {
    const row = fc
      .record({
        code: fc.constantFrom("51", "05"),
        attempt: fc.integer({ min: 1, max: 3 }),
        provider: fc.constantFrom("provider_1", "provider_2"),
        outcomes: fc.integer({ min: 0, max: 500 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ code, attempt, provider, outcomes, share }): RecoveryRow => [
        code,
        attempt,
        provider,
        outcomes,
        outcomes * share,
      ]);
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, prior) => {
          const p = recoveryProbability(rows, KIND, prior);
          assert.ok(p >= 0 && p <= 1);
          const one = (approved: number): number =>
            recoveryProbability(
              [...rows, [KIND.code, KIND.attempt, KIND.provider, 1, approved]],
              KIND,
              prior,
            );
          assert.ok(one(1) >= p && one(0) <= p);
        },
      ),
    );
  });
});

describe("RTRY-20: the results of retries are learnt", () => {
  it("fades with a half-life of 58 hours", () => {
    const recoveries = new Recoveries();
    recoveries.record(retried({ count: 8 }));
    recoveries.record(retried({ count: 2, approved: false }));
    assert.deepEqual(recoveries.rows(START_MS), [["51", 2, "provider_1", 10, 8]]);
    assert.deepEqual(recoveries.rows(START_MS + HALF_LIFE_MS), [["51", 2, "provider_1", 5, 4]]);
  });

  it("keeps to 512 kinds, and evicts the one whose last outcome is the oldest", () => {
    const recoveries = new Recoveries();
    for (let code = 0; code < 512; code++) recoveries.record(retried({ code: String(code) }));
    recoveries.record(retried({ code: "0" }));
    recoveries.record(retried({ code: "new" }));
    const codes = recoveries.rows(START_MS).map(([code]) => code);
    assert.deepEqual([codes.length, codes.includes("0"), codes.includes("1")], [512, true, false]);
  });

  it("is apart by workspace and mode, and the same after a restart", () => {
    const monitor = new RecoveryMonitor();
    const [own, other] = [
      { workspaceId: "ws_a", mode: "live" },
      { workspaceId: "ws_a", mode: "test" },
    ] as const;
    monitor.record(retried({ count: 3 }));
    monitor.record(retried({ mode: "test", approved: false }));
    assert.deepEqual(monitor.rows(own, START_MS), [["51", 2, "provider_1", 3, 3]]);
    assert.deepEqual(monitor.takeChanged(), [own, other]);
    const restarted = new RecoveryMonitor();
    const learnt = monitor.owners().map((owner) => ({ ...owner, recoveries: monitor.learntBy(owner) }));
    restarted.recall([], learnt);
    for (const owner of [own, other])
      assert.deepEqual(restarted.rows(owner, START_MS + 7000), monitor.rows(owner, START_MS + 7000));
    restarted.recall([retried()], []);
    assert.deepEqual(restarted.rows(own, START_MS), [["51", 2, "provider_1", 1, 1]]);
    assert.deepEqual([restarted.rows(other, START_MS), restarted.takeChanged()], [[], [own, other]]);
  });
});
