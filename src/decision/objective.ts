import type { Optimization } from "../policy/policy-evaluation.js";
import { isRealPricing } from "../pricing/pricing-view.js";
import { BPS, type Pricing, expectedValue } from "./economics.js";
import type { ProviderEvaluation } from "./evaluation.js";

/** Two figures per provider, higher first; the second decides only where the first is equal. */
type Merit = readonly [number, number];

/** Compares two eligible providers; negative when the first is better, 0 leaves the order offered. */
export type Comparison = (a: ProviderEvaluation, b: ProviderEvaluation) => number;

export const byScore: Comparison = (a, b) => b.rankScore - a.rankScore;

function byMerit(merit: (pricing: Pricing, evaluation: ProviderEvaluation) => Merit): Comparison {
  return (a, b) => {
    if (a.pricing === null || b.pricing === null) return byScore(a, b);
    const [a1, a2] = merit(a.pricing, a);
    const [b1, b2] = merit(b.pricing, b);
    return b1 - a1 || b2 - a2;
  };
}

function isPriced(pricing: Pricing | null): pricing is Pricing {
  return pricing !== null && isRealPricing(pricing.quote);
}

/**
 * Cheapest really priced provider whose p is at most `maxApprovalDropBps` under the best eligible p; the others,
 * unpriced ones included, come after by score.
 */
function byCost(eligible: readonly ProviderEvaluation[], maxApprovalDropBps: number): Comparison {
  let bestP = 0;
  for (const { pricing } of eligible) bestP = Math.max(bestP, pricing?.approvalProbability ?? 0);
  // The 1e-12 keeps a drop of exactly the limit inside it in spite of binary fractions.
  const lowestP = bestP - maxApprovalDropBps / BPS - 1e-12;
  return byMerit((pricing, evaluation) =>
    isPriced(pricing) && pricing.approvalProbability >= lowestP
      ? [1, -pricing.quote.estimated_cost_minor]
      : [0, evaluation.rankScore],
  );
}

/**
 * By EV. An unpriced provider is taken to cost what the dearest priced one does, and loses an equal EV to a priced
 * one: it can win by being approved more often, never by its unknown cost.
 */
function byExpectedValue(
  eligible: readonly ProviderEvaluation[],
  amount: number,
  marginBps: number,
): Comparison {
  let dearestMinor = 0;
  for (const { pricing } of eligible) {
    if (isPriced(pricing)) dearestMinor = Math.max(dearestMinor, pricing.quote.estimated_cost_minor);
  }
  return byMerit((pricing) => {
    const priced = isPriced(pricing);
    const costMinor = priced ? pricing.quote.estimated_cost_minor : dearestMinor;
    return [expectedValue(pricing.approvalProbability, amount, marginBps, costMinor), priced ? 1 : 0];
  });
}

/** contract §4 "Model v2": the objective of a matched optimize_for over the eligible providers. */
export function byObjective(
  { mode, marginBps, maxApprovalDropBps }: Optimization,
  eligible: readonly ProviderEvaluation[],
  amount: number,
): Comparison {
  switch (mode) {
    case "approval":
      return byMerit((pricing) => [pricing.approvalProbability, 0]);
    case "cost":
      return byCost(eligible, maxApprovalDropBps);
    case "balanced":
    case "margin":
      return byExpectedValue(eligible, amount, marginBps);
    default:
      return mode satisfies never;
  }
}
