import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HealthMonitor } from "../../../../src/domain/health/monitor/monitor.js";
import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import type { LiveDetail } from "../../../../src/domain/health/monitor/live-level.js";
import { liveOutcome, smallMonitor } from "./segments.js";

const START_MS = Date.UTC(2026, 10, 20, 9, 30);
const NG_VERVE = { country: "NG", cardNetwork: "verve" } as const;
const DECLINED = { ...NG_VERVE, outcome: "soft_declined" } as const;

/** Returns what ws_a's outcomes taught, after one tick for each list of outcomes and ten quiet seconds. */
function learn(ticks: readonly (readonly Partial<LiveOutcomes>[])[]): Map<string, LiveDetail> {
  const monitor = smallMonitor();
  monitor.warmUp(START_MS);
  let nowMs = START_MS;
  for (const outcomes of ticks) {
    nowMs += 1000;
    for (const fields of outcomes) monitor.recordOutcomes(liveOutcome(nowMs, fields), nowMs);
    monitor.tick(nowMs);
  }
  for (let second = 0; second < 12; second++) monitor.tick((nowMs += 1000));
  return details(monitor);
}
const details = (monitor: HealthMonitor): Map<string, LiveDetail> =>
  new Map(monitor.details("ws_a", "live").map((one) => [one.segmentKey, one]));
const scoreOf = (learnt: ReadonlyMap<string, LiveDetail>, key: string): number =>
  learnt.get(key)?.snapshot?.score ?? NaN;

const PROVIDERS = ["provider_1", "provider_2"] as const;
const keysOf = (provider: string): string[] =>
  ["", ":NG", ":NG:verve"].map((place) => `${provider}:card:USD${place}`);

describe("HLTH-34: losses of all providers in one country and card network are the issuers' doing", () => {
  for (const [title, approved, declined] of [
    ["a few payments, all declined", 0, 25],
    ["many, all declined", 0, 400],
    ["half of them declined", 150, 150],
    ["a third declined after a good hour", 1200, 400],
  ] as const) {
    it(`no provider's score there moves by 2 points: ${title}`, () => {
      const good = PROVIDERS.map((provider) => ({ ...NG_VERVE, provider, count: Math.max(1, approved) }));
      const before = learn([good]);
      const after = learn([good, PROVIDERS.map((provider) => ({ ...DECLINED, provider, count: declined }))]);
      for (const key of PROVIDERS.flatMap(keysOf)) {
        const moved = Math.abs(scoreOf(after, key) - scoreOf(before, key));
        assert.ok(moved < 2, `${key} moved by ${moved}`);
      }
      const { blamed, approvalRate } = after.get("provider_1:card:USD:NG:verve") as LiveDetail;
      // The provider is blamed for the usual declines at most. The issuer is blamed for the others.
      const n = Math.max(1, approved) + declined;
      assert.ok(blamed.provider <= 0.1 * n, `more than the usual declines: ${JSON.stringify(blamed)}`);
      assert.ok(Math.abs((approvalRate ?? NaN) - Math.max(1, approved) / n) < 1e-3);
    });
  }

  it("a loss of one provider alone is its own, with any share of the traffic", () => {
    for (const count of [60, 200, 1000]) {
      const before = learn([
        [
          { ...NG_VERVE, count },
          { ...NG_VERVE, provider: "provider_2", count: 60 },
        ],
      ]);
      const after = learn([
        [
          { ...NG_VERVE, count },
          { ...NG_VERVE, provider: "provider_2", count: 60 },
        ],
        [{ ...DECLINED, count }],
      ]);
      const key = "provider_1:card:USD:NG:verve";
      assert.ok(scoreOf(before, key) - scoreOf(after, key) > 5, `${count}: ${scoreOf(after, key)}`);
      assert.equal(Math.round(after.get(key)?.blamed.issuer ?? NaN), 0);
    }
  });

  it("a provider that loses more than the others keeps its own part of the loss", () => {
    const learnt = learn([
      [
        { ...DECLINED, count: 180 },
        { ...NG_VERVE, count: 20 },
        { ...DECLINED, provider: "provider_2", count: 60 },
        { ...NG_VERVE, provider: "provider_2", count: 140 },
      ],
    ]);
    const [first, second] = PROVIDERS.map((provider) => learnt.get(`${provider}:card:USD:NG:verve`));
    assert.ok((first?.snapshot?.score ?? 100) < (second?.snapshot?.score ?? 0) - 10);
    assert.ok((first?.blamed.provider ?? 0) > 60);
  });
});
