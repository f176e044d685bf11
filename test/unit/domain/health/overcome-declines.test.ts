import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import { bySegment, smallMonitor } from "./segments.js";
import { PLACES, RecoveryClock, TRICKLE_SECONDS, trickle } from "./recovery-clock.js";

const DECLINED: Partial<LiveOutcomes> = { outcome: "soft_declined" };

/** Five minutes of good traffic, then a fall: of the payments that still come, only each second one is approved. */
function afterFall(minutes = 60, places = PLACES): RecoveryClock {
  const clock = new RecoveryClock();
  clock.pass(300, (second) => PLACES.map((place) => ({ ...place, ...(second % 10 === 0 ? DECLINED : {}) })));
  clock.pass(60, (second) =>
    places.map((place) => ({ ...place, count: 5, ...(second % 2 === 0 ? DECLINED : {}) })),
  );
  clock.pass(minutes * 60, halfDeclined(places));
  return clock;
}

const halfDeclined =
  (places = PLACES) =>
  (second: number): Partial<LiveOutcomes>[] =>
    trickle((second / TRICKLE_SECONDS) % 2 === 0 ? DECLINED : {}, places)(second);

describe("HLTH-35: declines of a fall that is over no longer count", () => {
  it("a provider that approves again scores as before in every place within 3 minutes, by a payment every 6 s", () => {
    const clock = afterFall();
    assert.ok(
      clock.score("USD") < 90 && clock.score("EUR") < 90,
      `${clock.score("USD")} ${clock.score("EUR")}`,
    );
    clock.pass(180, trickle({}));
    assert.ok(
      clock.score("USD") > 97 && clock.score("EUR") > 97,
      `${clock.score("USD")} ${clock.score("EUR")}`,
    );
  });

  it("approvals that show the recovery still show it while no payment comes", () => {
    const clock = afterFall();
    const before = clock.score("USD");
    // Four approvals, then none. So the newest span soon has no answers.
    clock.pass(60, (second) =>
      second % 10 === 0 && second < 40 ? [{ ...PLACES[(second / 10) % PLACES.length] }] : [],
    );
    const shown = clock.score("USD");
    clock.pass(60, () => []);
    assert.ok(clock.score("USD") > shown + 2, `${before} ${shown} ${clock.score("USD")}`);
  });

  it("a provider that goes on declining each second payment gains nothing", () => {
    const clock = afterFall();
    const before = clock.score("USD");
    clock.pass(600, halfDeclined());
    assert.ok(clock.score("USD") <= before + 2, `${before} ${clock.score("USD")}`);
  });

  it("what was overcome too early is taken back by the next declines", () => {
    const clock = afterFall();
    const before = clock.score("USD");
    clock.pass(120, trickle({}));
    const lucky = clock.score("USD");
    assert.ok(lucky > before + 3, `${before} ${lucky}`);
    clock.pass(120, () => PLACES.map((place) => ({ ...place, ...DECLINED })));
    assert.ok(clock.score("USD") < before, `${before} ${clock.score("USD")}`);
  });

  it("places that were well excuse none that fell", () => {
    const [, ...falling] = PLACES;
    const clock = afterFall(60, falling);
    const silent = afterFall(60, falling);
    clock.pass(120, () => [{ ...PLACES[0], count: 5 }]);
    silent.pass(120, () => []);
    assert.equal(clock.score("EUR"), silent.score("EUR"));
  });

  it("a new place that is well excuses none that fell", () => {
    const rich = (second: number): Partial<LiveOutcomes>[] =>
      second % 3 === 0 ? [{ currency: "USD", country: "CA" }] : [];
    const [withNew, without] = [afterFall(), afterFall()];
    withNew.pass(600, (second) => [...rich(second), ...halfDeclined()(second)]);
    without.pass(600, halfDeclined());
    assert.ok(
      withNew.score("EUR") <= without.score("EUR") + 2,
      `${withNew.score("EUR")} ${without.score("EUR")}`,
    );
  });

  it("a place that is well again excuses none that still falls", () => {
    const [first, ...others] = PLACES;
    const clock = afterFall();
    const before = clock.score("EUR");
    clock.pass(900, (second) => [
      ...(second % 3 === 0 ? [{ ...first }] : []),
      ...(second % 5 === 0 ? [{ ...others[(second / 5) % 2], ...(second % 20 < 10 ? DECLINED : {}) }] : []),
    ]);
    assert.ok(clock.score("USD") > 97, String(clock.score("USD")));
    assert.ok(clock.score("EUR") <= before + 2, `${before} ${clock.score("EUR")}`);
  });

  it("one payment that names a card network holds up no country's way back", () => {
    const clock = afterFall();
    clock.pass(1, () => [{ ...PLACES[0], cardNetwork: "visa" }]);
    clock.pass(180, trickle({}));
    assert.ok(clock.score("USD") > 97, String(clock.score("USD")));
  });

  it("they stay in `live` and in `blame`, and `approval_rate` leaves them out", () => {
    const clock = afterFall();
    clock.pass(180, trickle({}));
    const usd = clock.monitor
      .details("ws_a", "live")
      .find(({ segmentKey }) => segmentKey === "provider_1:card:USD");
    assert.ok(usd !== undefined && usd.approvalRate !== null && usd.snapshot !== null);
    assert.ok(usd.snapshot.approval_rate > usd.approvalRate + 0.03, JSON.stringify(usd));
    assert.ok(usd.blamed.provider > 150, String(usd.blamed.provider));
  });

  it("outlasts a restart", () => {
    const clock = afterFall();
    clock.pass(180, trickle({}));
    const restarted = smallMonitor({ hasProbes: false });
    restarted.warmUp(clock.nowMs);
    restarted.recall([], [clock.monitor.learntBy("ws_a", "live")]);
    const { score } = bySegment(restarted.overlay("ws_a", "live"), "provider_1:card:USD");
    assert.ok(Math.abs(score - clock.score("USD")) < 0.1, `${score} ${clock.score("USD")}`);
  });

  it("HLTH-28: on the way back no outcome moves a score by more than 2 points or the wrong way", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(2), fc.boolean(), (seconds, place, isApproved) => {
        const [without, withOne] = [afterFall(10), afterFall(10)];
        for (const clock of [without, withOne]) clock.pass(seconds, trickle({}));
        without.pass(1, () => []);
        withOne.pass(1, () => [{ ...PLACES[place], ...(isApproved ? {} : DECLINED) }]);
        for (const currency of ["USD", "EUR"]) {
          const move = withOne.score(currency) - without.score(currency);
          assert.ok(Math.abs(move) <= 2, `${seconds} s, ${currency}: ${move}`);
          assert.ok(isApproved ? move >= -0.01 : move <= 0.01, `${seconds} s, ${currency}: ${move}`);
        }
      }),
      { seed: 35, numRuns: 20 },
    );
  });
});
