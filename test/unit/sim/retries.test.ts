import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRandom } from "../../../bench/client/random.js";
import { createCards, type Card } from "../../../sim/retries/cards.js";
import { excessAttempts, oracleRetryMs, referenceVerdict } from "../../../sim/retries/reference.js";
import { checkRetryFloors } from "../../../sim/retries/report.js";
import { HASTY, PATIENT, simulateRetries, type RetryFigures } from "../../../sim/retries/simulate.js";
import { createDataDir } from "../../support/service/actor-parts.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 0, 5);
const DAYS = 30;

const aged = (...agesMs: readonly number[]): number[] => agesMs.map((ageMs) => NOW_MS - ageMs);
const failed = (rows: readonly RetryFigures[]): string[] =>
  checkRetryFloors(rows).flatMap(({ passed, line }) => (passed ? [] : [line]));

describe("simulated retries of a known truth", () => {
  for (const [merchant, count] of [
    [PATIENT, 1500],
    [HASTY, 40],
  ] as const) {
    it(`RTRY-5: RTRY-7: RTRY-8: RTRY-14: every answer to a ${merchant.name} merchant is the reference's`, async () => {
      const { journal } = await createDataDir();
      const random = createRandom(1);
      const cards = createCards(random, count, NOW_MS);
      const rows = simulateRetries({ cards, merchant, fromMs: NOW_MS, days: DAYS, journal, random });
      for (const row of rows) {
        const { asked, retries, recoveredMinor, recoverableMinor } = row;
        assert.deepEqual({ excess: row.excess, wrong: row.wrong }, { excess: 0, wrong: 0 });
        assert.ok(retries > 0 && retries < asked, "some questions were answered with yes, and some with no");
        assert.ok(recoveredMinor > 0 && recoveredMinor <= recoverableMinor, "an oracle is never beaten");
      }
      if (merchant === PATIENT) assert.deepEqual(failed(rows), []);
    });
  }
});

describe("the reference of sim:retries", () => {
  const visa = { scheme: "visa", code: "51" } as const;
  const mastercard = { scheme: "mastercard", code: "02" } as const;

  it("counts 20 attempts in 30 days with Visa, and 10 in 24 hours or 35 in 30 days with Mastercard", () => {
    const times = (count: number, ageMs: number): number[] => Array<number>(count).fill(NOW_MS - ageMs);
    assert.equal(referenceVerdict(visa, times(19, HOUR_MS), NOW_MS), "allowed");
    assert.equal(referenceVerdict(visa, times(20, 30 * DAY_MS - 1), NOW_MS), "exhausted");
    assert.equal(referenceVerdict(visa, times(20, 30 * DAY_MS), NOW_MS), "allowed");
    assert.equal(referenceVerdict(mastercard, times(10, DAY_MS - 1), NOW_MS), "exhausted");
    assert.equal(referenceVerdict(mastercard, times(10, DAY_MS), NOW_MS), "allowed");
    assert.equal(referenceVerdict(mastercard, times(35, DAY_MS), NOW_MS), "exhausted");
  });

  it("knows the codes that rule another attempt out, and the waits", () => {
    assert.equal(referenceVerdict({ scheme: "visa", code: "04" }, [], NOW_MS), "forbidden");
    assert.equal(referenceVerdict({ scheme: "mastercard", code: "04" }, [], NOW_MS), "allowed");
    const wait = { scheme: "mastercard", code: "26" } as const;
    assert.equal(referenceVerdict(wait, aged(2 * DAY_MS - 1), NOW_MS), "too_early");
    assert.equal(referenceVerdict(wait, aged(2 * DAY_MS), NOW_MS), "allowed");
  });

  it("finds the attempts that came too many or too soon", () => {
    const wait = { scheme: "mastercard", code: "24" } as const;
    assert.deepEqual(excessAttempts(wait, aged(2 * HOUR_MS, HOUR_MS, 1), 1), aged(1));
    const crowd = Array.from({ length: 12 }, (_, at) => NOW_MS + at);
    assert.deepEqual(excessAttempts(mastercard, crowd, 1), [NOW_MS + 10, NOW_MS + 11]);
  });

  it("lets the oracle retry at the first moment that is open and allowed", () => {
    const card: Card = {
      index: 0,
      ...visa,
      amountMinor: 1,
      attempts: aged(...Array.from({ length: 19 }, (_, at) => (29 - at) * DAY_MS), 0),
      open: [{ fromMs: NOW_MS + HOUR_MS, toMs: NOW_MS + 2 * DAY_MS }],
    };
    const untilMs = NOW_MS + 30 * DAY_MS;
    assert.equal(oracleRetryMs(card, untilMs), NOW_MS + DAY_MS, "an attempt leaves the window");
    assert.equal(oracleRetryMs({ ...card, attempts: [NOW_MS] }, untilMs), NOW_MS + HOUR_MS);
    assert.equal(oracleRetryMs({ ...card, code: "04" }, untilMs), null);
    assert.equal(oracleRetryMs(card, NOW_MS + DAY_MS), null);
  });
});

describe("the floors of sim:retries", () => {
  const perfect: RetryFigures = {
    merchant: PATIENT.name,
    scheme: "visa",
    cards: 1,
    asked: 2,
    retries: 1,
    excess: 0,
    wrong: 0,
    recoveredMinor: 95,
    recoverableMinor: 100,
  };

  it("are met at the floor itself and missed just beyond it", () => {
    assert.equal(failed([perfect]).length, 0);
    assert.equal(failed([perfect, { ...perfect, merchant: HASTY.name, recoveredMinor: 1 }]).length, 0);
    for (const changes of [{ excess: 1 }, { wrong: 1 }, { recoveredMinor: 94.9 }])
      assert.equal(failed([{ ...perfect, ...changes }]).length, 1, JSON.stringify(changes));
    assert.equal(failed([{ ...perfect, merchant: HASTY.name, excess: 1 }, perfect]).length, 1);
  });
});
