import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { HEALTH_LIMITS } from "../../../../src/domain/health/limits.js";
import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import { LiveOverlays } from "../../../../src/domain/health/monitor/live-overlays.js";
import { MockSegment } from "../../../../src/domain/health/mock-provider.js";
import { indexSegments, ProbedSegment } from "../../../../src/domain/health/probed-segment.js";
import { PLACES, RecoveryClock } from "./recovery-clock.js";
import { CURRENCIES, liveOutcome, START_MS } from "./segments.js";

const HOUR_MS = 3_600_000;
const DECLINED: Partial<LiveOutcomes> = { outcome: "soft_declined" };
const FAILED: Partial<LiveOutcomes> = { outcome: "technical_failed", technicalFailureType: "5xx" };
const [USD, EUR] = PLACES as readonly [Partial<LiveOutcomes>, Partial<LiveOutcomes>];

type Traffic = (second: number) => Partial<LiveOutcomes>[];
const NONE: Traffic = () => [];
/** A payment every so many seconds. Of ten in turn, `well` are approved. */
const inTen =
  (well: number, place: Partial<LiveOutcomes>, everySeconds = 1, bad = DECLINED): Traffic =>
  (second) =>
    second % everySeconds === 0 ? [{ ...place, ...((second / everySeconds) % 10 < well ? {} : bad) }] : [];
const together =
  (...all: Traffic[]): Traffic =>
  (second) =>
    all.flatMap((traffic) => traffic(second));

/** Passes seconds until a new block of answers begins, so that the answers before are weighed from now on. */
function passToBlock(clock: RecoveryClock): void {
  while (clock.nowMs % HEALTH_LIMITS.feltShortBlockMs !== 0) clock.pass(1, NONE);
}

/** The most points by which one outcome moves a score in one of the 85 s after it. */
function mostInOneSecond(
  begin: (clock: RecoveryClock) => void,
  traffic: Traffic,
  one: Partial<LiveOutcomes>,
): { points: number; key: string; second: number } {
  const [without, withOne] = [new RecoveryClock(), new RecoveryClock()];
  for (const clock of [without, withOne]) begin(clock);
  without.pass(1, traffic);
  withOne.pass(1, (second) => [...traffic(second), one]);
  let most = { points: 0, key: "", second: 0 };
  let before = new Map<string, number>();
  for (let second = 1; second <= 85; second++) {
    const [plain, moved] = [without.scores(), withOne.scores()];
    const now = new Map([...moved].map(([key, score]) => [key, score - (plain.get(key) ?? score)]));
    for (const [key, move] of now) {
      const points = Math.abs(move - (before.get(key) ?? 0));
      if (points > most.points) most = { points, key, second };
    }
    before = now;
    for (const clock of [without, withOne]) clock.pass(1, (at) => traffic(second + at));
  }
  return most;
}

describe("HLTH-35: what is over is forgotten in each place by itself", () => {
  it("issuers that approve again excuse no provider's own fall elsewhere", () => {
    const providers = [EUR, { ...EUR, provider: "provider_2" }];
    const issuers = (well: number): Traffic => together(...providers.map((place) => inTen(well, place, 3)));
    const [recovering, silent] = [issuers(10), NONE].map((traffic) => {
      const clock = new RecoveryClock();
      // After a good day, the issuers' fall has caused a small part of the declines there.
      const good = [{ count: 13_950 }, { count: 1050, ...DECLINED }];
      clock.pass(1, () =>
        [USD, ...providers].flatMap((place) => good.map((some) => ({ ...place, ...some }))),
      );
      clock.nowMs += 12 * HOUR_MS;
      clock.pass(600, together(issuers(3), inTen(3, USD, 1)));
      clock.pass(240, issuers(3));
      const before = clock.score("USD");
      assert.ok(before < 90, String(before));
      clock.pass(180, traffic);
      return clock.score("USD");
    });
    assert.equal(recovering, silent);
  });

  it("HLTH-34: a provider gets over a fall of the issuers by its own answers, once others no longer excuse it", () => {
    const place = { currency: "EUR", country: "DE", cardNetwork: "visa" } as const;
    const [own, other] = [place, { ...place, provider: "provider_2" }];
    const clock = new RecoveryClock();
    clock.pass(1200, together(inTen(9, own), inTen(9, other)));
    clock.pass(900, together(inTen(3, own), inTen(3, other, 2)));
    const excused = clock.score("EUR");
    assert.ok(excused > 97, String(excused));
    // Many approvals of the other provider make its fall look small.
    for (let minute = 0; minute < 40; minute++) {
      clock.pass(60, together(inTen(9, own, 6), inTen(9, { ...other, count: 4 })));
      const score = clock.score("EUR");
      assert.ok(score > excused - 2, `${minute}: ${excused} ${score}`);
    }
  });

  it("HLTH-28: one decline of a place ends its part in the others' recovery by at most 2 points a second", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.integer({ min: 1, max: 3 }), (lateSeconds, well) => {
        const begin = (clock: RecoveryClock): void => {
          clock.pass(600, together(inTen(9, USD), inTen(9, EUR)));
          const many = { count: 5 };
          clock.pass(600, together(inTen(well, { ...USD, ...many }, 3), inTen(well, { ...EUR, ...many }, 3)));
          clock.pass(200, inTen(well, USD, 20));
          passToBlock(clock);
          clock.pass(5 + lateSeconds, inTen(10, USD));
        };
        const { points, key, second } = mostInOneSecond(begin, inTen(10, USD), { ...EUR, ...DECLINED });
        assert.ok(points <= 2, `${key} moved by ${points} in second ${second}`);
      }),
      { seed: 35, numRuns: 6 },
    );
  });

  it("HLTH-28: on the way back of two places, one answer moves a score by at most 2 points a second", () => {
    /** Answers by chance, the same for the same `seed`. */
    const byChance = (seed: number) => {
      let state = seed;
      const draw = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
      return (place: Partial<LiveOutcomes>, everySeconds: number, well: number, count = 1): Traffic =>
        (second) =>
          second % everySeconds === 0 ? [{ ...place, count, ...(draw() < well ? {} : DECLINED) }] : [];
    };
    const FR = PLACES[2] as Partial<LiveOutcomes>;
    const moved = (seed: number, well: number, every: readonly [number, number], after: number): number => {
      const of = (one: Partial<LiveOutcomes>[]): Map<string, number>[] => {
        const paid = byChance(seed);
        const clock = new RecoveryClock();
        const three = (usd: Traffic, eur: Traffic): Traffic => together(usd, eur, paid(FR, 3, 0.9));
        clock.pass(600, three(paid(USD, 1, 0.9, 3), paid(EUR, 1, 0.9, 3)));
        clock.pass(1200, three(paid(USD, 1, well, 3), paid(EUR, 1, well, 3)));
        const traffic = three(paid(USD, every[0], 0.9), paid(EUR, every[1], 0.9));
        clock.pass(after, traffic);
        return Array.from({ length: 85 }, (_, second) => {
          clock.pass(1, () => [...traffic(second), ...(second === 0 ? one : [])]);
          return clock.scores();
        });
      };
      const [without, withOne] = [of([]), of([EUR])];
      const difference = (second: number, key: string): number =>
        second < 0 ? 0 : (withOne[second]?.get(key) ?? 0) - (without[second]?.get(key) ?? 0);
      return Math.max(
        ...without.flatMap((scores, second) =>
          Array.from(scores.keys(), (key) => Math.abs(difference(second, key) - difference(second - 1, key))),
        ),
      );
    };
    // The worst of 1,000 random cases.
    const worst = moved(981_734_162, 0.05, [5, 20], 53);
    assert.ok(worst > 1.5 && worst <= 2, String(worst));
  });

  it("HLTH-28: one decline takes back at most 2 points a second, after a deep fall too", () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(2), (others, well) => {
        const begin = (clock: RecoveryClock): void => {
          clock.pass(600, inTen(9, { ...EUR, count: 3 }));
          clock.pass(600, inTen(well, { ...EUR, count: 3 }));
          clock.pass(300, inTen(10, EUR, 3));
          assert.ok(clock.score("EUR") > 97, String(clock.score("EUR")));
          passToBlock(clock);
          clock.pass(5, NONE);
          clock.pass(1, () => Array.from({ length: others }, () => ({ ...EUR, ...DECLINED })));
        };
        const { points, key, second } = mostInOneSecond(begin, NONE, { ...EUR, ...DECLINED });
        assert.ok(points <= 2, `${key} moved by ${points} in second ${second}`);
      }),
      { seed: 35, numRuns: 6 },
    );
  });

  it("answers of the fall hold no place back once the answers together show when it ended", () => {
    const clock = new RecoveryClock();
    clock.pass(1200, together(inTen(9, USD), inTen(9, EUR)));
    clock.pass(1200, together(inTen(3, USD), inTen(3, EUR)));
    passToBlock(clock);
    // Two of the last three payments of EUR are declined.
    clock.pass(135, (second) => [
      ...inTen(3, USD, 2)(second),
      ...(second % 45 === 0 ? [{ ...EUR, ...(second === 0 ? {} : DECLINED) }] : []),
    ]);
    for (const currency of ["USD", "EUR"]) assert.ok(clock.score(currency) < 80, currency);
    clock.pass(150, together(inTen(9, USD, 2), inTen(10, EUR, 45)));
    for (const currency of ["USD", "EUR"])
      assert.ok(clock.score(currency) > 95, `${currency}: ${clock.score(currency)}`);
  });

  it("two declines in a row take back nothing of a place that was well for minutes", () => {
    const clock = new RecoveryClock();
    clock.pass(1200, together(inTen(9, USD), inTen(9, EUR)));
    clock.pass(1200, together(inTen(3, USD), inTen(3, EUR)));
    clock.pass(600, together(inTen(9, USD, 2), inTen(10, EUR, 10)));
    const well = clock.score("EUR");
    assert.ok(well > 99, String(well));
    passToBlock(clock);
    clock.pass(
      90,
      together(inTen(9, USD, 2), (second) =>
        second === 5 || second === 15 ? [{ ...EUR, ...DECLINED }] : [],
      ),
    );
    assert.ok(clock.score("EUR") > well - 2, `${well} ${clock.score("EUR")}`);
  });

  it("a place that gets over a fall changes the snapshots of its own country in most seconds, and not of all", () => {
    const countries = Array.from({ length: 26 }, (_, at) => `X${String.fromCodePoint(65 + at)}`);
    // With some failures and declines, so that fading changes each country's rates in every second.
    const elsewhere = (second: number): Partial<LiveOutcomes>[] =>
      countries.flatMap((country) => [
        ...inTen(8, { ...EUR, country }, 3)(second),
        ...inTen(9, { ...EUR, country }, 2, FAILED)(second),
      ]);
    const clock = new RecoveryClock();
    clock.pass(600, together(elsewhere, inTen(10, EUR)));
    clock.pass(600, together(elsewhere, inTen(2, EUR)));
    for (let second = 0; clock.monitor.learningOwners(true).length === 0; second++) {
      assert.ok(second < 300, "no recovery begins");
      clock.pass(1, (at) => inTen(10, EUR)(second + at));
    }
    const changed: number[] = [];
    for (let second = 0; second < 60; second++) {
      clock.monitor.takeChangedOwners();
      clock.pass(1, (at) => inTen(10, EUR)(second + at));
      for (const { countries: own } of clock.monitor.takeChangedOwners()) changed.push(own.size);
    }
    const few = changed.filter((count) => count <= 1).length;
    assert.ok(changed.length > 30 && few > 0.7 * changed.length, changed.join(" "));
    assert.ok(Math.max(...changed) > countries.length, "all levels follow every ten seconds");
  });

  it("a level gets over an outage in each second, as its segment does", () => {
    const clock = new RecoveryClock();
    clock.pass(20, inTen(0, USD, 1, FAILED));
    clock.pass(1200, inTen(0, USD, 6, FAILED));
    const before = clock.score("USD");
    for (let second = 0; second < 120; second++) {
      clock.pass(1, () => (second % 6 === 0 ? [USD] : []));
      const scores = clock.scores();
      const [segment, level] = ["USD", "USD:US"].map((key) => scores.get(`provider_1:card:${key}`) ?? NaN);
      assert.ok(Math.abs((segment ?? NaN) - (level ?? NaN)) < 0.1, `second ${second}: ${segment} ${level}`);
    }
    assert.ok(clock.score("USD") > before + 20, `${before} ${clock.score("USD")}`);
  });
});

/** The segments of one provider. An owner has at most so many segments and levels. */
class BoundedClock {
  nowMs = START_MS;
  readonly overlays: LiveOverlays;

  constructor(ownerLevelsMax: number) {
    const probed = CURRENCIES.map((currency) => {
      const mock = new MockSegment(7, "provider_1", 0, "card", currency);
      return new ProbedSegment(mock, START_MS - HEALTH_LIMITS.windowMs, false);
    });
    this.overlays = new LiveOverlays(indexSegments(probed), HEALTH_LIMITS.levelsMax, ownerLevelsMax);
  }

  pass(seconds: number, traffic: Traffic): void {
    for (let second = 0; second < seconds; second++) {
      this.nowMs += 1000;
      for (const fields of traffic(second)) this.overlays.record(liveOutcome(this.nowMs, fields), this.nowMs);
      this.overlays.tick(this.nowMs, false);
    }
  }

  get places(): string[] {
    return this.overlays.details("ws_a", "live").map(({ segmentKey }) => segmentKey);
  }

  /** The overcome declines of the segment and its levels, by key. */
  overcome(currency: string): Map<string, number> {
    const key = `provider_1:card:${currency}`;
    const segment = this.overlays.learntBy("ws_a", "live").find((one) => one.key === key);
    assert.ok(segment !== undefined);
    return new Map([segment, ...segment.levels].map((level) => [level.key, level.approvals[7] as number]));
  }

  shown(currency: string): { score: number; approvalRate: number } {
    const key = `provider_1:card:${currency}`;
    const snapshot = this.overlays.snapshots("ws_a", "live").find(({ segment_key }) => segment_key === key);
    assert.ok(snapshot !== undefined);
    return { score: snapshot.score, approvalRate: snapshot.approval_rate };
  }
}

describe("HLTH-35: HLTH-32: a level that makes room", () => {
  const DE = { currency: "EUR", country: "DE" };
  const BOTH = [
    { ...DE, cardNetwork: "visa" },
    { ...DE, cardNetwork: "mastercard" },
  ] as const;
  const newcomer: Traffic = (n) => [{ currency: "USD", country: `A${String.fromCharCode(65 + n)}` }];

  /** Two card networks of one country fell and got over it. Then new countries take the room of their levels. */
  function crowded(ownerLevelsMax: number): BoundedClock {
    const clock = new BoundedClock(ownerLevelsMax);
    clock.pass(900, together(...BOTH.map((place) => inTen(9, place))));
    clock.pass(300, together(...BOTH.map((place) => inTen(2, place))));
    clock.pass(300, together(...BOTH.map((place) => inTen(10, place, 3))));
    assert.ok((clock.overcome("EUR").get("provider_1:card:EUR") ?? 0) > 100);
    clock.pass(30, NONE);
    return clock;
  }

  it("takes nothing from the levels above of what they got over, and moves no score", () => {
    for (const newcomers of [1, 2, 3, 4]) {
      const [room, tight] = [crowded(HEALTH_LIMITS.ownerLevelsMax), crowded(5)];
      for (const clock of [room, tight]) clock.pass(newcomers, newcomer);
      assert.ok(tight.places.length <= 5 && room.places.length === 5 + newcomers, tight.places.join(" "));
      for (let second = 0; second < 30; second++) {
        for (const clock of [room, tight]) clock.pass(1, NONE);
        const [left, right] = [room.shown("EUR"), tight.shown("EUR")];
        assert.ok(Math.abs(left.score - right.score) < 0.5, `${newcomers}: ${left.score} ${right.score}`);
        assert.ok(Math.abs(left.approvalRate - right.approvalRate) < 0.01);
      }
    }
  });

  it("leaves counts that are not negative, and no level with more than the level above it", () => {
    const levels = fc.record({
      currency: fc.constantFrom("USD", "EUR"),
      country: fc.constantFrom("DE", "FR", "NG"),
      cardNetwork: fc.constantFrom(null, "visa" as const, "mastercard" as const),
      well: fc.constantFrom(1, 3, 9, 10),
    });
    fc.assert(
      fc.property(fc.array(fc.array(levels, { maxLength: 4 }), { minLength: 5, maxLength: 12 }), (phases) => {
        const clock = crowded(6);
        for (const falls of phases) {
          clock.pass(90, together(...falls.map(({ well, ...place }) => inTen(well, place, 2))));
          for (const currency of ["USD", "EUR"]) {
            if (!clock.places.includes(`provider_1:card:${currency}`)) continue;
            const overcome = clock.overcome(currency);
            for (const [key, own] of overcome) {
              const below = [...overcome].filter(([other]) => other.slice(0, other.lastIndexOf(":")) === key);
              const sum = below.reduce((total, [, one]) => total + one, 0);
              // The levels fade at their own ticks, up to 10 s apart.
              assert.ok(own >= 0 && sum <= own * 1.001 + 0.001, `${key}: ${sum} of ${own}`);
            }
            const { score, approvalRate } = clock.shown(currency);
            assert.ok(score >= 0 && score <= 100 && approvalRate >= 0 && approvalRate <= 1);
          }
        }
      }),
      { seed: 35, numRuns: 10 },
    );
  });
});
