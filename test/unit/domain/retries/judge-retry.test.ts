import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { judgeRetry, type RetryCase } from "../../../../src/domain/retries/judge-retry.js";
import { RETRY_RULES } from "../../../../src/domain/retries/retry-rules.js";
import type { CardNetwork } from "../../../../src/domain/vocabulary/vocabulary.js";

const NOW_MS = Date.UTC(2026, 10, 26, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Codes after which the schemes ask for no wait. */
const VISA_CODE = "51";
const ADVICE_CODE = "02";

function judge(
  scheme: CardNetwork,
  code: string,
  attempts: readonly number[],
  more: Partial<RetryCase> = {},
) {
  return judgeRetry(RETRY_RULES, { scheme, code, attempts, nowMs: NOW_MS, tightening: [], ...more });
}

/** Attempts with these ages in milliseconds. */
const aged = (...agesMs: readonly number[]): number[] => agesMs.map((ageMs) => NOW_MS - ageMs);
const times = (count: number, ageMs: number): number[] => Array<number>(count).fill(NOW_MS - ageMs);

describe("judgeRetry", () => {
  for (const [scheme, code] of [
    ["visa", "04"],
    ["visa", "R3"],
    ["visa", "stolen_card"],
    ["mastercard", "03"],
    ["mastercard", "21"],
    ["mastercard", "do_not_try_again"],
  ] as const) {
    it(`RTRY-4: forbids ${code} of ${scheme}, after any attempts`, () => {
      for (const attempts of [[], aged(0), times(40, HOUR_MS), aged(40 * DAY_MS)]) {
        const judged = judge(scheme, code, attempts);
        assert.deepEqual([judged?.verdict, judged?.rule.ruleId], ["forbidden", `${scheme}_${code}`]);
      }
    });
  }

  for (const [scheme, code] of [
    ["visa", "54"],
    ["visa", "do_not_honor"],
    ["visa", "03"],
    ["mastercard", "01"],
    ["mastercard", "51"],
    ["mastercard", "41"],
  ] as const) {
    it(`RTRY-3: allows ${code} of ${scheme} at once`, () => {
      assert.equal(judge(scheme, code, aged(0))?.verdict, "allowed");
    });
  }

  it("RTRY-2: says nothing about a scheme without rules", () => {
    for (const scheme of ["amex", "discover", "verve", "other"] as const) {
      assert.equal(judge(scheme, "04", times(50, 1)), null);
    }
  });

  const LIMITS = [
    ["visa", VISA_CODE, 20, 30 * DAY_MS],
    ["mastercard", ADVICE_CODE, 10, DAY_MS],
    ["mastercard", ADVICE_CODE, 35, 30 * DAY_MS],
  ] as const;
  for (const [scheme, code, most, windowMs] of LIMITS) {
    const days = windowMs / DAY_MS;
    // The attempts are too old for a shorter window of the same scheme.
    const inWindow = (count: number): number[] => times(count, windowMs - 1);

    it(`RTRY-5: ${scheme} allows the attempt that is number ${most} in ${days} days, and no other`, () => {
      assert.equal(judge(scheme, code, inWindow(most - 1))?.verdict, "allowed");
      const judged = judge(scheme, code, inWindow(most));
      assert.equal(judged?.verdict, "exhausted");
      assert.deepEqual("limit" in judged && judged.limit, { attempts: most, windowSeconds: windowMs / 1000 });
      assert.equal(judge(scheme, code, inWindow(most + 1))?.verdict, "exhausted");
    });

    it(`RTRY-7: an attempt with ${scheme} counts until it is exactly ${days} days old`, () => {
      const others = inWindow(most - 1);
      assert.equal(judge(scheme, code, [...others, ...aged(windowMs - 1)])?.verdict, "exhausted");
      assert.equal(judge(scheme, code, [...others, ...aged(windowMs)])?.verdict, "allowed");
      assert.equal(judge(scheme, code, [...aged(windowMs + 1), ...others])?.verdict, "allowed");
    });
  }

  it("RTRY-7: an attempt that another node dates a little ahead counts", () => {
    assert.equal(judge("mastercard", ADVICE_CODE, times(10, -5))?.verdict, "exhausted");
  });

  for (const [code, hours] of [
    ["24", 1],
    ["25", 24],
    ["26", 48],
    ["27", 96],
    ["28", 144],
    ["29", 192],
    ["30", 240],
  ] as const) {
    it(`RTRY-6: ${code} is too early until exactly ${hours} hours after the last attempt`, () => {
      const waitMs = hours * HOUR_MS;
      const early = judge("mastercard", code, aged(20 * DAY_MS, waitMs - 1, 15 * DAY_MS));
      assert.deepEqual(
        [early?.verdict, early !== null && "notBeforeMs" in early && early.notBeforeMs - NOW_MS],
        ["too_early", 1],
      );
      assert.equal(judge("mastercard", code, aged(20 * DAY_MS, waitMs))?.verdict, "allowed");
    });

    it(`RTRY-8: ${code} has no wait without a known attempt`, () => {
      assert.equal(judge("mastercard", code, [])?.verdict, "allowed");
    });
  }

  it("RTRY-9: a limit that is reached comes before a wait", () => {
    assert.equal(judge("mastercard", "25", times(9, HOUR_MS))?.verdict, "too_early");
    assert.equal(judge("mastercard", "25", times(10, HOUR_MS))?.verdict, "exhausted");
  });

  it("RTRY-9: a tighter limit holds, and a looser one changes nothing", () => {
    const tight = { tightening: [{ attempts: 3, windowSeconds: DAY_MS / 1000 }] };
    assert.equal(judge("visa", VISA_CODE, times(2, HOUR_MS), tight)?.verdict, "allowed");
    const judged = judge("visa", VISA_CODE, times(3, HOUR_MS), tight);
    assert.deepEqual([judged?.verdict, judged?.rule.ruleId], ["exhausted", "visa_51"]);
    assert.equal(judge("visa", VISA_CODE, times(3, DAY_MS), tight)?.verdict, "allowed");
    assert.equal(judge("visa", "04", [], tight)?.verdict, "forbidden");
  });

  it("RTRY-9: no tightening allows an attempt that is not allowed without it, and the order of attempts does not matter", () => {
    const attempts = fc.array(fc.integer({ min: NOW_MS - 40 * DAY_MS, max: NOW_MS }), { maxLength: 45 });
    const code = fc.constantFrom("02", "03", "24", "27", "51", "54", "nothing");
    const limit = fc.record({
      attempts: fc.integer({ min: 1, max: 50 }),
      windowSeconds: fc.constantFrom(3600, 86_400, 30 * 86_400),
    });
    fc.assert(
      fc.property(
        fc.constantFrom("visa", "mastercard"),
        code,
        attempts,
        fc.array(limit, { maxLength: 2 }),
        (scheme, given, made, tightening) => {
          const plain = judge(scheme, given, made);
          const tightened = judge(scheme, given, made, { tightening });
          if (tightened?.verdict === "allowed") assert.equal(plain?.verdict, "allowed");
          assert.deepEqual(
            judge(
              scheme,
              given,
              made.toSorted((a, b) => a - b),
            ),
            plain,
          );
        },
      ),
    );
  });
});
