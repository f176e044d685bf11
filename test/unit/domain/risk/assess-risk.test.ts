import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { assessRisk } from "../../../../src/domain/risk/assess-risk.js";
import type { RiskSignals, Transaction } from "../../../../src/domain/vocabulary/decision-request.js";
import { riskSignals, transaction } from "../../../support/generators/arbitraries.js";

const TRANSACTION: Transaction = { amount: 10_000, currency: "USD", country: "US", payment_method: "card" };

function assess(
  signals: RiskSignals = {},
  fields: Partial<Transaction> = {},
  normalAmountMaxMinor: number | null = null,
) {
  return assessRisk({ transaction: { ...TRANSACTION, ...fields }, signals, normalAmountMaxMinor });
}

describe("Risk: points over a base of 10", () => {
  it("RISK-1: is 10 for a request that says nothing", () => assert.equal(assess().score, 10));

  const transactionCases: [Partial<Transaction>, number][] = [
    [{ customer_type: "guest" }, 25],
    [{ customer_type: "new" }, 20],
    [{ customer_type: "returning" }, 5],
    [{ risk_level: "low" }, 10],
    [{ risk_level: "medium" }, 25],
    [{ risk_level: "high" }, 45],
  ];
  for (const [fields, score] of transactionCases) {
    it(`RISK-1, RISK-8: ${JSON.stringify(fields)} → ${score}`, () =>
      assert.equal(assess({}, fields).score, score));
  }

  const signalCases: [RiskSignals, number][] = [
    [{ velocity_count_10m: 2 }, 10],
    [{ velocity_count_10m: 3 }, 20],
    [{ velocity_count_10m: 4 }, 20],
    [{ velocity_count_10m: 5 }, 30],
    [{ velocity_count_10m: 9 }, 30],
    [{ velocity_count_10m: 10 }, 45],
    [{ velocity_count_1h: 5 }, 10],
    [{ velocity_count_1h: 6 }, 15],
    [{ velocity_count_1h: 11 }, 15],
    [{ velocity_count_1h: 12 }, 25],
    [{ velocity_count_1h: 19 }, 25],
    [{ velocity_count_1h: 20 }, 35],
    // The larger of the two velocity scores counts, not their sum.
    [{ velocity_count_10m: 3, velocity_count_1h: 20 }, 35],
    [{ velocity_count_10m: 10, velocity_count_1h: 20 }, 45],
    // The share of declines counts from three attempts on. Successes have separate points, which fall as successes
    // rise.
    [{ previous_decline_count: 2 }, 10],
    [{ previous_decline_count: 3 }, 30],
    [{ previous_decline_count: 1, previous_success_count: 1 }, 5],
    [{ previous_decline_count: 2, previous_success_count: 2 }, 15],
    [{ previous_decline_count: 49, previous_success_count: 51 }, 0],
    [{ previous_decline_count: 50, previous_success_count: 50 }, 5],
    [{ previous_decline_count: 79, previous_success_count: 21 }, 5],
    [{ previous_decline_count: 4, previous_success_count: 1 }, 25],
    [{ previous_decline_count: 0, previous_success_count: 0 }, 10],
    [{ previous_success_count: 1 }, 5],
    [{ previous_success_count: 2 }, 5],
    [{ previous_success_count: 3 }, 0],
    [{ previous_success_count: 9 }, 0],
    [{ previous_success_count: 10 }, 0],
    [{ order_age_seconds: 0 }, 20],
    [{ order_age_seconds: 9 }, 20],
    [{ order_age_seconds: 10 }, 10],
    [{ device_risk_band: "low" }, 10],
    [{ device_risk_band: "medium" }, 20],
    [{ device_risk_band: "high" }, 35],
    [{ ip_country_match: true }, 10],
    [{ ip_country_match: false }, 25],
    [{ velocity_amount_1h: 1_000_000 }, 10],
  ];
  for (const [signals, score] of signalCases) {
    it(`RISK-2, RISK-3, RISK-4, RISK-5, RISK-6, RISK-7: ${JSON.stringify(signals)} → ${score}`, () =>
      assert.equal(assess(signals).score, score));
  }

  it("RISK-4: ten successes take 15 points off, visible above the floor of 0", () => {
    assert.equal(assess({ previous_success_count: 10 }, { risk_level: "high" }).score, 30);
    assert.equal(assess({ previous_success_count: 9 }, { risk_level: "high" }).score, 35);
  });

  it("RISK-9: adds everything up and stops at 100", () => {
    const signals: RiskSignals = {
      velocity_count_10m: 10,
      device_risk_band: "high",
      ip_country_match: false,
    };
    assert.equal(assess(signals).score, 85);
    assert.equal(
      assess({ ...signals, order_age_seconds: 1 }, { customer_type: "guest", risk_level: "high" }).score,
      100,
    );
  });

  it("RISK-9: is at least the merchant's transaction.risk_score or merchant_supplied_risk_score", () => {
    assert.equal(assess({}, { risk_score: 64 }).score, 64);
    assert.equal(assess({ merchant_supplied_risk_score: 71 }, { risk_score: 64 }).score, 71);
    assert.equal(assess({ merchant_supplied_risk_score: 3 }, { risk_score: 4 }).score, 10);
  });
});

describe("Risk: bands", () => {
  for (const [score, band, action, code] of [
    [39, "low", "route", "RISK_ACCEPTABLE"],
    [40, "medium", "step_up", "RISK_ELEVATED"],
    [64, "medium", "step_up", "RISK_ELEVATED"],
    [65, "high", "block_review", "RISK_HIGH_BLOCK_REVIEW"],
    [84, "high", "block_review", "RISK_HIGH_BLOCK_REVIEW"],
    [85, "extreme", "block_review", "RISK_HIGH_BLOCK_REVIEW"],
    [100, "extreme", "block_review", "RISK_HIGH_BLOCK_REVIEW"],
  ] as const) {
    it(`RES-6, RISK-10: ${score} is ${band}: ${action}, ${code}`, () => {
      const risk = assess({}, { risk_score: score });
      assert.deepEqual(risk, { score, band, recommendedAction: action, reasonCodes: [code] });
    });
  }
});

describe("Risk: further codes", () => {
  const codes = (...given: Parameters<typeof assess>) => assess(...given).reasonCodes.slice(1);

  it("RISK-11: RETURNING_CUSTOMER for a returning customer alone", () => {
    assert.deepEqual(codes({}, { customer_type: "returning" }), ["RETURNING_CUSTOMER"]);
    assert.deepEqual(codes({}, { customer_type: "new" }), []);
  });

  it("RISK-11: PRIOR_SUCCESSFUL_PAYMENTS from the first success on", () => {
    assert.deepEqual(codes({ previous_success_count: 0 }), []);
    assert.deepEqual(codes({ previous_success_count: 1 }), ["PRIOR_SUCCESSFUL_PAYMENTS"]);
  });

  it("RISK-12: MERCHANT_SUPPLIED_ELEVATED_RISK from 65 on", () => {
    assert.deepEqual(codes({ merchant_supplied_risk_score: 64 }), []);
    assert.deepEqual(codes({ merchant_supplied_risk_score: 65 }), ["MERCHANT_SUPPLIED_ELEVATED_RISK"]);
  });

  it("RISK-13: NORMAL_AMOUNT_FOR_MERCHANT up to the merchant's own 99th percentile, where known", () => {
    assert.deepEqual(codes({}, {}, 9_999), []);
    assert.deepEqual(codes({}, {}, 10_000), ["NORMAL_AMOUNT_FOR_MERCHANT"]);
    assert.deepEqual(codes({}, {}, null), []);
  });

  it("RES-6, RISK-11, RISK-12: gives all that apply, the band's first", () => {
    const signals = { previous_success_count: 4, merchant_supplied_risk_score: 70 };
    assert.deepEqual(assess(signals, { customer_type: "returning" }, 10_000).reasonCodes, [
      "RISK_HIGH_BLOCK_REVIEW",
      "NORMAL_AMOUNT_FOR_MERCHANT",
      "RETURNING_CUSTOMER",
      "PRIOR_SUCCESSFUL_PAYMENTS",
      "MERCHANT_SUPPLIED_ELEVATED_RISK",
    ]);
  });
});

describe("risk of any request", () => {
  it("RES-6: is an integer 0..100 and grows with the merchant's reports", () => {
    fc.assert(
      fc.property(transaction, riskSignals, fc.integer({ min: 0, max: 100 }), (fields, signals, reported) => {
        const { score } = assessRisk({ transaction: fields, signals, normalAmountMaxMinor: null });
        assert.ok(Number.isInteger(score) && score >= 0 && score <= 100);
        const raised = assessRisk({
          transaction: { ...fields, risk_score: Math.max(reported, fields.risk_score ?? 0) },
          signals,
          normalAmountMaxMinor: null,
        });
        assert.equal(raised.score, Math.max(score, reported));
      }),
    );
  });
});
