import type { PolicyEvaluation } from "../policy/policy-evaluation.js";
import type { ProviderId } from "../shared/decision-request.js";
import type { HealthState } from "../shared/vocabulary.js";
import type { ProviderEvaluation } from "./evaluation.js";
import { type Comparison, byObjective, byScore } from "./objective.js";

/** contract §4 "Scores": a strict preference counts only for providers in these states. */
const STRICTLY_PREFERABLE = {
  healthy: true,
  watch: true,
  unknown: true,
  degraded: false,
  critical: false,
  unavailable: false,
} as const satisfies Record<HealthState, boolean>;

/** Where `provider` stands in a strict preference that reaches it; -1 where none does. */
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

/** Lower first: the split's pick, then the strictly preferred in their order, then everybody else. */
function tierOf(
  evaluation: ProviderEvaluation,
  policy: Readonly<PolicyEvaluation>,
  splitPick: ProviderId | null,
): number {
  if (evaluation.provider === splitPick) return -1;
  const position = strictPosition(evaluation, policy);
  return position < 0 ? Number.MAX_SAFE_INTEGER : position;
}

/** Stable, and quicker than Array.prototype.sort on the handful of providers there are. */
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
 * contract §4 "Scores": the eligible providers, best first. The primary is the `split_traffic` pick where eligible,
 * else by strict preference, else by optimize_for's objective where set, else by score; ties keep the order offered.
 */
export function rankEligible(
  evaluations: readonly ProviderEvaluation[],
  policy: Readonly<PolicyEvaluation>,
  splitPick: ProviderId | null,
  amount: number,
): ProviderEvaluation[] {
  const ranked: ProviderEvaluation[] = [];
  for (const evaluation of evaluations) if (evaluation.exclusionReason === null) ranked.push(evaluation);
  const merit = policy.optimizeFor === null ? byScore : byObjective(policy.optimizeFor, ranked, amount);
  const tiered = splitPick !== null || policy.preference?.strict === true;
  insertionSort(
    ranked,
    tiered ? (a, b) => tierOf(a, policy, splitPick) - tierOf(b, policy, splitPick) || merit(a, b) : merit,
  );
  return ranked;
}
