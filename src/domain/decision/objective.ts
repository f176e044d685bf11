import type { Optimization } from "../policy/policy-evaluation.js";
import { isRealPricing, type Quote } from "../pricing/pricing-view.js";
import { BPS, expectedValue } from "./economics.js";
import type { ProviderEvaluation } from "./evaluation.js";

/** Two figures per provider, higher first; the second decides only where the first is equal. */
type Merit = readonly [number, number];

/** Compares two eligible providers; negative when the first is better, 0 leaves the order offered. */
export type Comparison = (a: ProviderEvaluation, b: ProviderEvaluation) => number;

export const byScore: Comparison = (a, b) => b.routeScore - a.routeScore;

function byMerit(merit: (evaluation: ProviderEvaluation) => Merit): Comparison {
  return (a, b) => {
    const [a1, a2] = merit(a);
    const [b1, b2] = merit(b);
    return b1 - a1 || b2 - a2;
  };
}

function isPriced(quote: Quote | null): quote is Quote {
  return quote !== null && isRealPricing(quote);
}

/**
 * Cheapest really priced provider whose p is at most `maxApprovalDropBps` under the best eligible p; the others,
 * unpriced ones included, come after by score.
 */
function byCost(eligible: readonly ProviderEvaluation[], maxApprovalDropBps: number): Comparison {
  let bestP = 0;
  for (const { segment } of eligible) bestP = Math.max(bestP, segment.approvalProbability);
  // The 1e-12 keeps a drop of exactly the limit inside it in spite of binary fractions.
  const lowestP = bestP - maxApprovalDropBps / BPS - 1e-12;
  return byMerit(({ quote, segment, routeScore }) =>
    isPriced(quote) && segment.approvalProbability >= lowestP
      ? [1, -quote.estimated_cost_minor]
      : [0, routeScore],
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
  for (const { quote } of eligible) {
    if (isPriced(quote)) dearestMinor = Math.max(dearestMinor, quote.estimated_cost_minor);
  }
  return byMerit(({ quote, segment }) => {
    const priced = isPriced(quote);
    const costMinor = priced ? quote.estimated_cost_minor : dearestMinor;
    return [expectedValue(segment.approvalProbability, amount, marginBps, costMinor), priced ? 1 : 0];
  });
}

/** COST-9: the objective of a matched optimize_for over the eligible providers. */
export function byObjective(
  { mode, marginBps, maxApprovalDropBps }: Optimization,
  eligible: readonly ProviderEvaluation[],
  amount: number,
): Comparison {
  switch (mode) {
    case "approval":
      return byMerit(({ segment }) => [segment.approvalProbability, 0]);
    case "cost":
      return byCost(eligible, maxApprovalDropBps);
    case "balanced":
    case "margin":
      return byExpectedValue(eligible, amount, marginBps);
    default:
      return mode satisfies never;
  }
}
