import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import { PLACES, RecoveryClock, TRICKLE_SECONDS, trickle } from "./recovery-clock.js";

const FAILED: Partial<LiveOutcomes> = { outcome: "technical_failed", technicalFailureType: "5xx" };

/** An outage of 20 minutes. Once routing avoids the provider, it gets almost no traffic. */
function afterOutage(places = PLACES): RecoveryClock {
  const clock = new RecoveryClock();
  clock.pass(20, () => places.map((place) => ({ ...place, ...FAILED })));
  clock.pass(20 * 60, trickle(FAILED, places));
  return clock;
}

describe("HLTH-35: failures that are over are forgotten before their time", () => {
  it("a provider that works again is healthy in every place within 3 minutes, by a payment every 6 s", () => {
    const clock = afterOutage();
    assert.ok(
      clock.score("USD") < 80 && clock.score("EUR") < 80,
      `${clock.score("USD")} ${clock.score("EUR")}`,
    );
    clock.pass(180, trickle({}));
    assert.ok(
      clock.score("USD") > 97 && clock.score("EUR") > 97,
      `${clock.score("USD")} ${clock.score("EUR")}`,
    );
  });

  it("a provider that continues to fail gains nothing by one approval in five", () => {
    const clock = afterOutage();
    const before = clock.score("USD");
    clock.pass(300, (second) => trickle(second % (5 * TRICKLE_SECONDS) === 0 ? {} : FAILED)(second));
    assert.ok(clock.score("USD") <= before + 2, `${before} ${clock.score("USD")}`);
  });

  it("places that were well excuse none that failed", () => {
    const [, ...failing] = PLACES;
    const clock = afterOutage(failing);
    const silent = afterOutage(failing);
    clock.pass(120, () => [{ ...PLACES[0], count: 5 }]);
    silent.pass(120, () => []);
    assert.equal(clock.score("EUR"), silent.score("EUR"));
  });

  it("HLTH-28: on the way back no score moves by more than 2 points in a second without an outcome", () => {
    for (const technicalFailureType of ["timeout", "5xx", "rate_limited"] as const)
      for (const count of [5, 20, 60]) {
        const failed = { ...FAILED, technicalFailureType };
        const clock = new RecoveryClock();
        clock.pass(30, () => PLACES.map((place) => ({ ...place, ...failed, count })));
        clock.pass(20 * 60, trickle(failed));
        for (let second = 0; second < 150; second++) {
          const before = clock.scores();
          clock.pass(1, () => trickle({})(second));
          if (second % TRICKLE_SECONDS === 0) continue;
          for (const [key, score] of clock.scores()) {
            const move = score - (before.get(key) ?? NaN);
            assert.ok(move >= 0 && move <= 2, `${technicalFailureType}, ${count}, ${key}: ${move}`);
          }
        }
        assert.ok(clock.score("USD") > 90, `${technicalFailureType}, ${count}: ${clock.score("USD")}`);
      }
  });

  it("HLTH-28: on the way back no outcome moves a score by more than 2 points or the wrong way", () => {
    fc.assert(
      fc.property(fc.nat(150), fc.nat(2), fc.boolean(), (seconds, place, isApproved) => {
        const [without, withOne] = [afterOutage(), afterOutage()];
        for (const clock of [without, withOne]) clock.pass(seconds, trickle({}));
        without.pass(1, () => []);
        withOne.pass(1, () => [{ ...PLACES[place], ...(isApproved ? {} : FAILED) }]);
        for (const currency of ["USD", "EUR"]) {
          const move = withOne.score(currency) - without.score(currency);
          assert.ok(Math.abs(move) <= 2, `${seconds} s, ${currency}: ${move}`);
          assert.ok(isApproved ? move >= -0.01 : move <= 0.01, `${seconds} s, ${currency}: ${move}`);
        }
      }),
      { seed: 35, numRuns: 40 },
    );
  });
});
