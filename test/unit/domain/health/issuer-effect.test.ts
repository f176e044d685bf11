import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FeltWindow } from "../../../../src/domain/health/monitor/felt-window.js";
import { ISSUER_SPANS } from "../../../../src/domain/health/monitor/issuer-effect.js";
import type { HealthMonitor } from "../../../../src/domain/health/monitor/monitor.js";
import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import type { LiveDetail } from "../../../../src/domain/health/monitor/live-level.js";
import { RecoveryClock } from "./recovery-clock.js";
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

  describe("with few payments at the others", () => {
    const HOUR_MS = 3_600_000;
    const OTHER = { ...NG_VERVE, provider: "provider_2" } as const;
    /** One payment a second at provider_1, and one every 20 s at the other. Of ten in turn, so many are approved. */
    const passMinute = (clock: RecoveryClock, minute: number, own: number, other: number): void =>
      clock.pass(60, (secondOfMinute) => {
        const second = 60 * minute + secondOfMinute;
        const outcomes: Partial<LiveOutcomes>[] = [second % 10 < own ? NG_VERVE : DECLINED];
        if (second % 20 === 0) outcomes.push((second / 20) % 10 < other ? OTHER : { ...DECLINED, ...OTHER });
        return outcomes;
      });
    /** Nine in ten approved for days. `luck` is how many of ten the other had approved three hours ago. */
    function afterDays(luck: number): RecoveryClock {
      const clock = new RecoveryClock();
      const learn = (place: Partial<LiveOutcomes>, approved: number, declined: number): void =>
        clock.pass(1, () => [
          { ...place, count: approved },
          { ...place, outcome: "soft_declined", count: declined },
        ]);
      learn(NG_VERVE, 90_000, 10_000);
      learn(OTHER, 90_000, 10_000);
      clock.nowMs += 72 * HOUR_MS;
      learn(NG_VERVE, 9720, 1080);
      learn(OTHER, 54 * luck, 540 - 54 * luck);
      clock.nowMs += 3 * HOUR_MS;
      return clock;
    }
    /** The score after each minute of `minutes`. `otherIn` says how many of ten the other approves in a minute. */
    const scoresOf = (luck: number, minutes: number, own: number, otherIn: (minute: number) => number) => {
      const clock = afterDays(luck);
      return Array.from({ length: minutes }, (_, minute) => {
        passMinute(clock, minute, own, otherIn(minute));
        return clock.score("USD");
      });
    };

    it("their luck of the hours before hides no fall of the issuers", () => {
      const usual = scoresOf(10, 120, 9, () => 9);
      for (const [minute, score] of scoresOf(10, 120, 3, () => 3).entries())
        assert.ok((usual[minute] as number) - score < 2, `minute ${minute}: ${score}, not ${usual[minute]}`);
    });

    it("HLTH-11: after a restart, each span has the answers that it had", () => {
      const window = new FeltWindow();
      for (let minute = 0; minute < 240; minute++)
        window.add(START_MS + minute * 60_000, minute % 3 === 0 ? "declined" : "approved", 1 + (minute % 7));
      const restarted = new FeltWindow();
      restarted.restore(JSON.parse(JSON.stringify(window)) as number[][]);
      const nowMs = START_MS + 4 * HOUR_MS;
      const counted = (of: FeltWindow): number[] =>
        ISSUER_SPANS.flatMap((span) => [of.count("judged", span, nowMs), of.count("declined", span, nowMs)]);
      assert.deepEqual(counted(restarted), counted(window));
      assert.ok(
        counted(window)
          .slice(-2)
          .every((count) => count > 200),
      );
    });

    it("HLTH-28: their first answer moves no score by more than 2 points", () => {
      for (const [answers, seconds] of [
        [4000, 160],
        [10_000, 470],
      ] as const) {
        const [without, withOne] = [0, 1].map((count) => {
          const clock = new RecoveryClock();
          clock.pass(1, () => [
            { ...NG_VERVE, count: 0.9 * answers },
            { ...DECLINED, count: 0.1 * answers },
          ]);
          clock.nowMs += 4 * HOUR_MS;
          clock.pass(seconds, (second) => [second % 10 < 3 ? NG_VERVE : DECLINED]);
          return Array.from({ length: 40 }, (_, second) => {
            clock.pass(1, () => (second < count ? [{ ...DECLINED, ...OTHER }] : []));
            return clock.scores();
          });
        });
        for (const [second, scores] of withOne?.entries() ?? [])
          for (const [key, score] of scores) {
            const moved = score - (without?.[second]?.get(key) ?? score);
            assert.ok(Math.abs(moved) <= 2, `${key} moved by ${moved} after ${second} s`);
          }
        const [before, after] = [without, withOne].map((all) =>
          all?.at(-1)?.get("provider_1:card:USD:NG:verve"),
        );
        assert.ok((after ?? NaN) - (before ?? NaN) > 1, `${before} ${after}`);
      }
    });

    it("their ordinary luck of minutes excuses little of one provider's fall", () => {
      const alone = scoresOf(10, 30, 3, () => 9);
      for (const [minute, score] of scoresOf(10, 30, 3, () => 8).entries())
        assert.ok(
          score - (alone[minute] as number) < 1.3,
          `minute ${minute}: ${score}, not ${alone[minute]}`,
        );
      assert.ok((alone.at(-1) as number) < 85, String(alone.at(-1)));
    });
  });
});
