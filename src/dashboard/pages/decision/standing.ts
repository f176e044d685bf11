import type { DecisionDetail, ProviderEvaluation } from "../../../client/wire-types.js";
import { SCORE_PARTS } from "./score-parts.js";

/** The result of one offered provider in a decision. */
export interface Standing {
  evaluation: ProviderEvaluation;
  place: "primary" | "fallback" | "lost" | "excluded";
  /** One sentence that explains the provider's place. */
  text: string;
}

/** ELIG-1 to ELIG-5: one sentence for each reason for exclusion. */
const EXCLUSIONS: Readonly<Record<string, string>> = {
  POLICY_EXCLUDED_PROVIDER: "A policy rule excludes it.",
  CIRCUIT_OPEN: "It is unavailable: too many of its requests failed.",
  HEALTH_CRITICAL: "Its health is critical.",
  HEALTH_BELOW_POLICY_MINIMUM: "Its health is below the minimum that a policy rule asks for.",
  COST_ABOVE_POLICY_LIMIT: "It costs more than a policy rule allows.",
};

/**
 * Reasons to choose another provider although this one has the highest score. The keys are reason codes of the
 * decision. The most decisive one is first.
 */
const OVERRIDES: readonly (readonly [code: string, text: string])[] = [
  ["FAILOVER_PREVIOUS_PROVIDER_UNHEALTHY", "the payment moves away from the provider that timed out"],
  ["RETRY_ALLOWED_BY_POLICY", "the policy retries a payment that timed out"],
  ["RETRY_ALLOWED_BY_SCHEME_RULES", "the card scheme allows another try"],
  ["TRAFFIC_SPLIT_APPLIED", "the policy's traffic split gives this order to it"],
  ["POLICY_PREFERRED_PROVIDER", "the policy prefers it"],
  ["OPTIMIZED_FOR_APPROVAL", "the policy optimizes for approval"],
  ["OPTIMIZED_FOR_COST", "the policy optimizes for cost"],
  ["OPTIMIZED_FOR_BALANCED", "the policy balances approval against cost"],
  ["OPTIMIZED_FOR_MARGIN", "the policy optimizes for margin"],
];

const PLACES = { primary: 0, fallback: 1, lost: 2, excluded: 3 } as const satisfies Record<
  Standing["place"],
  number
>;

/** Lists all offered providers: first the chosen ones, then the others by score, and last the excluded ones. */
export function standingsOf(decision: DecisionDetail): Standing[] {
  const { provider_evaluations, route } = decision;
  const primary = provider_evaluations.find(({ provider }) => provider === route?.primary_provider);
  return provider_evaluations
    .map((evaluation) => standingOf(evaluation, primary, decision))
    .toSorted(
      (a, b) => PLACES[a.place] - PLACES[b.place] || b.evaluation.route_score - a.evaluation.route_score,
    );
}

function standingOf(
  evaluation: ProviderEvaluation,
  primary: ProviderEvaluation | undefined,
  decision: DecisionDetail,
): Standing {
  const { provider, eligible, exclusion_reason } = evaluation;
  const { route, action } = decision;
  const excluded = EXCLUSIONS[exclusion_reason ?? ""] ?? `It was ruled out: ${exclusion_reason}.`;
  if (provider === route?.primary_provider) {
    const text = eligible ? "Chosen." : `${excluded} It takes the payment all the same: nobody else can.`;
    return { evaluation, place: "primary", text };
  }
  if (!eligible) return { evaluation, place: "excluded", text: excluded };
  if (route === null || action === "block") {
    return { evaluation, place: "lost", text: "It could have taken the payment, which was blocked." };
  }
  const why =
    primary === undefined ? "The payment goes elsewhere." : comparison(evaluation, primary, decision);
  return provider === route.fallback_provider
    ? { evaluation, place: "fallback", text: `Approved as the second option. ${why}` }
    : { evaluation, place: "lost", text: why };
}

/** Explains by how many points and mainly by which term a provider lost, or what outweighed the score. */
function comparison(
  evaluation: ProviderEvaluation,
  primary: ProviderEvaluation,
  { reason_codes, provider_evaluations }: DecisionDetail,
): string {
  const behind = primary.route_score - evaluation.route_score;
  const isBoosted = (primary.components?.preference_boost ?? 0) > 0;
  const override = OVERRIDES.find(
    // The points already include a boost.
    ([code]) => !(isBoosted && code === "POLICY_PREFERRED_PROVIDER") && reason_codes.includes(code),
  )?.[1];
  if (behind > 0) {
    const points = `${behind.toFixed(2)} points behind ${primary.provider}`;
    if (override !== undefined) return `${points}; what decided is that ${override}.`;
    const largest = largestLag(evaluation, primary);
    return largest === null ? `${points}.` : `${points}, mostly by ${largest}.`;
  }
  if (override !== undefined) {
    const standing = behind < 0 ? `${(-behind).toFixed(2)} points ahead` : "Level on points";
    return `${standing}, but ${override}.`;
  }
  if (behind === 0 && provider_evaluations.indexOf(primary) < provider_evaluations.indexOf(evaluation)) {
    return `Level with ${primary.provider} on points, which was offered first.`;
  }
  // ACT-18: if no rule decided and the provider has at least as many points, only its failed last attempt can be the
  // reason.
  const standing = behind === 0 ? "Level on points" : `${(-behind).toFixed(2)} points ahead`;
  return `${standing}, but the last attempt failed here.`;
}

function largestLag(evaluation: ProviderEvaluation, primary: ProviderEvaluation): string | null {
  const mine = evaluation.components;
  const theirs = primary.components;
  if (mine === null || theirs === null) return null;
  const [largest] = SCORE_PARTS.map(({ name, label }) => ({
    label,
    lag: theirs[name] - mine[name],
  })).toSorted((a, b) => b.lag - a.lag);
  if (largest === undefined || largest.lag <= 0) return null;
  return `${largest.label.toLowerCase()} (${largest.lag.toFixed(2)})`;
}
