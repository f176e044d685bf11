import type { PolicyEvaluation, Optimization } from "../policy/policy-evaluation.js";
import type { ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState } from "../vocabulary/vocabulary.js";
import type { ProviderEvaluation } from "./evaluation.js";
import { isRealPricing, type Quote } from "../pricing/pricing-view.js";
import { BPS, expectedValue } from "./economics.js";

/** Two figures of a provider. The higher first figure wins, and the second decides only between equal first figures. */
type Merit = readonly [number, number];

/** Compares two eligible providers. Negative means that the first is better. 0 keeps the offered order. */
type Comparison = (a: ProviderEvaluation, b: ProviderEvaluation) => number;

const byScore: Comparison = (a, b) => b.routeScore - a.routeScore;

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
function byObjective(
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

/** SCORE-6: a strict preference counts only for providers in these states. */
const STRICTLY_PREFERABLE = {
  healthy: true,
  watch: true,
  unknown: true,
  degraded: false,
  critical: false,
  unavailable: false,
} as const satisfies Record<HealthState, boolean>;

/** The provider's position in a strict preference that applies to it. -1 if no such preference lists it. */
function strictPosition(evaluation: ProviderEvaluation, policy: Readonly<PolicyEvaluation>): number {
  const { preference } = policy;
  if (preference === null || !preference.strict || !STRICTLY_PREFERABLE[evaluation.segment.snapshot.state])
    return -1;
  return preference.providers.indexOf(evaluation.provider);
}

export function isStrictlyPreferred(
  evaluation: ProviderEvaluation,
  policy: Readonly<PolicyEvaluation>,
): boolean {
  return strictPosition(evaluation, policy) >= 0;
}

/** True when the policy's preference moved this provider up, strictly or by a boost. */
export function isPreferred(evaluation: ProviderEvaluation, policy: Readonly<PolicyEvaluation>): boolean {
  return evaluation.preferenceBoost > 0 || isStrictlyPreferred(evaluation, policy);
}

/** The tier of a provider that the policy does not rank. */
const BY_MERIT = Number.MAX_SAFE_INTEGER;

/**
 * The lower tier comes first: the split's pick, then the strictly preferred providers in their order, then all others.
 */
function tierOf(
  evaluation: ProviderEvaluation,
  policy: Readonly<PolicyEvaluation>,
  splitPick: ProviderId | null,
): number {
  if (evaluation.provider === splitPick) return -1;
  const position = strictPosition(evaluation, policy);
  return position < 0 ? BY_MERIT : position;
}

/** A stable sort that is faster than Array.prototype.sort for a handful of providers. */
function insertionSort(items: ProviderEvaluation[], compare: Comparison): void {
  for (let i = 1; i < items.length; i++) {
    const item = items[i] as ProviderEvaluation;
    let at = i;
    while (at > 0 && compare(items[at - 1] as ProviderEvaluation, item) > 0) {
      items[at] = items[at - 1] as ProviderEvaluation;
      at--;
    }
    items[at] = item;
  }
}

/**
 * ACT-18: moves the provider of the failed previous attempt behind all others in its health state. The others keep
 * their order. If no other provider is in that state, nothing moves.
 */
function moveLastAmongEquals(ranked: ProviderEvaluation[], from: number): void {
  const demoted = ranked[from] as ProviderEvaluation;
  const { state } = demoted.segment.snapshot;
  const to = ranked.findLastIndex(({ segment }) => segment.snapshot.state === state);
  ranked.copyWithin(from, from + 1, to + 1);
  ranked[to] = demoted;
}

/** The inputs of the ranking, besides the providers themselves. */
export interface RankingInput {
  readonly policy: Readonly<PolicyEvaluation>;
  readonly splitPick: ProviderId | null;
  /** Minor units. */
  readonly amount: number;
  /** The provider of the previous attempt, whatever its failure was. Null without a previous attempt. */
  readonly failedProvider: ProviderId | null;
}

/**
 * SCORE-7: the eligible providers, best first. The first of these that applies decides the primary: the pick of
 * `split_traffic` if eligible, the strict preference, the objective of optimize_for, the score. Ties keep the offered
 * order. ACT-18 never moves a provider that the split or the strict preference chose, because those are the merchant's
 * own order.
 */
export function rankEligible(
  evaluations: readonly ProviderEvaluation[],
  { policy, splitPick, amount, failedProvider }: RankingInput,
): ProviderEvaluation[] {
  const ranked: ProviderEvaluation[] = [];
  for (const evaluation of evaluations) if (evaluation.exclusionReason === null) ranked.push(evaluation);
  const merit = policy.optimizeFor === null ? byScore : byObjective(policy.optimizeFor, ranked, amount);
  const tiered = splitPick !== null || policy.preference?.strict === true;
  insertionSort(
    ranked,
    tiered ? (a, b) => tierOf(a, policy, splitPick) - tierOf(b, policy, splitPick) || merit(a, b) : merit,
  );
  if (failedProvider === null) return ranked;
  const failed = ranked.findIndex(({ provider }) => provider === failedProvider);
  if (failed >= 0 && tierOf(ranked[failed] as ProviderEvaluation, policy, splitPick) === BY_MERIT)
    moveLastAmongEquals(ranked, failed);
  return ranked;
}
