import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRandom } from "../../../bench/client/random.js";
import { checkFloors, firstDemotionMs, FLOORS } from "../../../sim/health/floors.js";
import { LogLossMeter } from "../../../sim/health/log-loss.js";
import { approvalChance, REPORTS, resultOf, type Odds } from "../../../sim/health/results.js";
import { SCENARIO, type ScenarioName } from "../../../sim/health/scenarios.js";
import { hoursAround, stepSecondsAt, weekOf } from "../../../sim/health/schedule.js";
import { simulate, type ScenarioFigures } from "../../../sim/health/simulate.js";
import { explained } from "../../../sim/health/table.js";
import { createWorld, paymentsPerSecond } from "../../../sim/health/world.js";

const MEAN_PER_SECOND = 5.6;
const MINUTE_MS = 60_000;

/** Some hours of one seeded world, after half a day of learning. */
function run(
  name: ScenarioName,
  hours: number,
  { seed = 1, learningDays = 0.5, lastsMs = SCENARIO[name].lastsMs } = {},
): ScenarioFigures {
  const scenario = { ...SCENARIO[name], lastsMs };
  const schedule = hoursAround(scenario, learningDays, hours);
  return simulate({ scenario, seed, meanPerSecond: MEAN_PER_SECOND, ...schedule });
}
/** The message of a failed assertion: the figures in words. */
const shown = (figures: ScenarioFigures): string => explained(figures).join("\n");

describe("simulated payments of a known truth", () => {
  it("are the same for the same seed and others for another", () => {
    const [one, again, other] = [1, 1, 2].map((seed) => run("none", 0.1, { seed, learningDays: 0.1 }));
    assert.ok(one !== undefined && other !== undefined);
    assert.deepEqual(one, again);
    assert.notDeepEqual(one.loss, other.loss);
  });

  it("HLTH-29: HLTH-32: are expected better by levels than by one rate for all, or one for each provider", () => {
    const { loss } = run("none", 1, { learningDays: 0.25 });
    assert.ok(loss.estimate < loss.global && loss.global <= loss.flat, JSON.stringify(loss));
    assert.ok(loss.truth < loss.estimate, "nothing is better than the truth");
  });

  // One world for both ends of an outage, because its half day of learning is most of the work.
  let outage: ScenarioFigures | undefined;
  const anOutage = (): ScenarioFigures => (outage ??= run("provider outage", 1.1));

  it("HLTH-31: leave a provider within 60 s of its outage, at 5 payments a second, and change nobody else", () => {
    const figures = anOutage();
    const [incident] = figures.incidents;
    assert.ok(incident !== undefined && incident.paymentsPerSecond >= FLOORS.outagePaymentsPerSecond);
    assert.ok((firstDemotionMs(incident) ?? Infinity) <= FLOORS.outageDemotedMs, shown(figures));
    assert.notEqual(incident.leftAfterMs, null, "the traffic left");
    assert.deepEqual(figures.falseDemotions, []);
  });

  it("HLTH-35: are back with a provider within 3 minutes of the end of its outage", () => {
    const figures = anOutage();
    const [incident] = figures.incidents;
    assert.ok((incident?.backAfterMs ?? Infinity) <= FLOORS.backMs, shown(figures));
  });

  it("HLTH-35: are back with a provider within 3 minutes of the end of its fall in one card network", () => {
    const figures = run("provider x network", 1.1, { seed: 4, lastsMs: 45 * MINUTE_MS });
    const [incident] = figures.incidents;
    assert.notEqual(incident?.leftAfterMs ?? null, null, "the traffic left");
    assert.ok((incident?.backAfterMs ?? Infinity) <= FLOORS.backMs, shown(figures));
  });

  it("HLTH-30: demote nobody in a wave of customer errors", () => {
    const figures = run("customer errors", 0.3, { learningDays: 0.25 });
    assert.equal(figures.incidents.length, 1);
    assert.deepEqual(figures.falseDemotions, []);
  });
});

describe("a simulated payment", () => {
  it("HLTH-30: ends as its odds say, by every combination of a hundred draws each", () => {
    const odds: Odds = {
      timeout: 0.02,
      error5xx: 0.03,
      throttled: 0.05,
      customer: 0.1,
      issuer: 0.1,
      approval: 0.8,
    };
    const steps = Array.from({ length: 100 }, (_, step) => (step + 0.5) / 100);
    let [judged, approved, excused] = [0, 0, 0];
    for (const failure of steps)
      for (const excuse of steps)
        for (const approval of steps) {
          const { isApproved } = REPORTS[resultOf(odds, { failure, excuse, approval })];
          if (isApproved === null) excused++;
          else judged++;
          if (isApproved === true) approved++;
        }
    assert.deepEqual([judged, approved, excused], [820_000, 576_000, 180_000]);
    assert.ok(Math.abs(approvalChance(odds) - approved / judged) < 1e-9);
  });
});

describe("the simulated week", () => {
  it("has an incident a day from the second day on, which begins as the traffic reaches the named rate", () => {
    const world = createWorld(createRandom(1));
    const { fromMs, toMs, incidents } = weekOf(SCENARIO["provider outage"], world, MEAN_PER_SECOND, 5);
    assert.equal(toMs - fromMs, 7 * 24 * 60 * MINUTE_MS);
    assert.equal(incidents.length, 6);
    for (const incident of incidents) {
      const perSecond = paymentsPerSecond(world, MEAN_PER_SECOND, incident.fromMs);
      assert.ok(perSecond >= 5 && perSecond < 5.1, String(perSecond));
    }
  });

  it("passes second by second around the begin and the end of an incident", () => {
    const incidents = [{ fromMs: 100 * MINUTE_MS, toMs: 200 * MINUTE_MS }];
    const stepAt = (minute: number): number => stepSecondsAt({ incidents }, minute * MINUTE_MS);
    assert.deepEqual([98, 99, 109, 110, 150, 199, 209, 210].map(stepAt), [10, 1, 1, 10, 10, 1, 1, 10]);
  });
});

describe("the floors of sim:health", () => {
  const perfect: ScenarioFigures = {
    name: "none",
    payments: 1,
    unrouted: 0,
    days: 7,
    incidents: [],
    falseDemotions: [],
    falseAlerts: [],
    loss: { estimate: 0.1, global: 0.2, flat: 0.3, truth: 0.1 },
  };
  const incident = {
    name: "one",
    fromMs: 0,
    paymentsPerSecond: 5,
    stateAfterMs: 60_000,
    leftAfterMs: null,
    alertAfterMs: null,
    backAfterMs: 180_000,
    lookedMs: 3_600_000,
    scoreMovePoints: 1.99,
  };
  const missed = (changes: Partial<ScenarioFigures>): number =>
    checkFloors({ ...perfect, ...changes }).filter(({ passed }) => !passed).length;
  const demotion = { levelKey: "provider_1:card:EUR", atMs: 0, to: "watch" };

  it("are met at the floor itself", () => {
    for (const name of Object.keys(SCENARIO) as ScenarioName[])
      assert.equal(missed({ name, incidents: [incident] }), 0, name);
    assert.equal(missed({ falseDemotions: [demotion] }), 0);
  });

  it("are missed just beyond it", () => {
    assert.equal(missed({ loss: { estimate: 0.2, global: 0.2, flat: 0.3, truth: 0.1 } }), 1);
    assert.equal(missed({ falseDemotions: [demotion, demotion] }), 1);
    assert.equal(missed({ name: "customer errors", falseDemotions: [demotion] }), 1);
    const slow = { ...incident, stateAfterMs: 60_001, backAfterMs: null };
    assert.equal(missed({ name: "provider outage", incidents: [incident, slow] }), 2);
    assert.equal(missed({ name: "provider x network", incidents: [slow] }), 1);
    assert.equal(missed({ name: "issuer-wide fall", incidents: [{ ...incident, scoreMovePoints: 2 }] }), 1);
  });

  it("compare the estimate with the best constants there are", () => {
    const meter = new LogLossMeter();
    for (const [provider, expected, isApproved] of [
      ["provider_1", 0.5, true],
      ["provider_1", 0.5, true],
      ["provider_2", 0.5, false],
      ["provider_2", 0.5, true],
    ] as const)
      meter.add(provider, expected, isApproved ? 0.75 : 0.25, isApproved);
    const { estimate, global, flat, truth } = meter.result();
    const near = (value: number, wanted: number): void => assert.ok(Math.abs(value - wanted) < 1e-12);
    near(estimate, Math.log(2));
    near(global, Math.log(2) / 2);
    near(truth, -Math.log(0.75));
    near(flat, -(3 * Math.log(0.75) + Math.log(0.25)) / 4);
  });
});
