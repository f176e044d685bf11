import type { Optimization } from "../policy/policy-evaluation.js";
import { isRealPricing, type Quote } from "../pricing/pricing-view.js";
import { BPS, expectedValue } from "./economics.js";
import type { ProviderEvaluation } from "./evaluation.js";

/** Two figures of a provider. The higher first figure wins, and the second decides only between equal first figures. */
type Merit = readonly [number, number];

/** Compares two eligible providers. Negative means that the first is better. 0 keeps the offered order. */
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
 * The first providers are those with a real price and an approval probability at most `maxApprovalDropBps` below the
 * highest of all eligible providers. They are ordered by cost. All others, unpriced ones included, follow by score.
 */
function byCost(eligible: readonly ProviderEvaluation[], maxApprovalDropBps: number): Comparison {
  let bestP = 0;
  for (const { segment } of eligible) bestP = Math.max(bestP, segment.approvalProbability);
  // Binary fractions are inexact. The 1e-12 makes sure that a drop of exactly the limit still counts as within it.
  const lowestP = bestP - maxApprovalDropBps / BPS - 1e-12;
  return byMerit(({ quote, segment, routeScore }) =>
    isPriced(quote) && segment.approvalProbability >= lowestP
      ? [1, -quote.estimated_cost_minor]
      : [0, routeScore],
  );
}

/**
 * Orders by EV. An unpriced provider is assumed to cost as much as the dearest priced one, and loses to a priced one at
 * equal EV. It can win by a better approval rate, but not by its unknown cost.
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

/** COST-9: the objective of a matched optimize_for, applied to the eligible providers. */
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
