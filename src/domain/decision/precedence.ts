import type { HealthView } from "../health/snapshot.js";
import type { PolicyEvaluation } from "../policy/policy-evaluation.js";
import type { DecisionRequest, ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState } from "../vocabulary/vocabulary.js";
import type { Instruction, Route, InstructionCode } from "./decision.js";
import type { ProviderEvaluation } from "./evaluation.js";
import { verdictOf, type SchemeRetry } from "./scheme-retry.js";

/** Everything that determines the instruction. */
export interface Situation {
  readonly request: DecisionRequest;
  readonly health: HealthView;
  readonly riskBlockThreshold: number;
  readonly policy: Readonly<PolicyEvaluation>;
  /** The scheme's judgement of this attempt. Null if no matched rule asks for it. */
  readonly schemeRetry: SchemeRetry | null;
  readonly defaultProvider: ProviderId | null;
  readonly evaluations: readonly ProviderEvaluation[];
  /** The eligible providers, best first. */
  readonly ranked: readonly ProviderEvaluation[];
}

export interface Verdict {
  readonly instruction: Instruction;
  /** The codes of the instruction itself. */
  readonly codes: readonly InstructionCode[];
  /** The codes that explain the route of a hold or step-up. */
  readonly routingCodes: readonly InstructionCode[];
}

/** One row of the precedence table. It returns its verdict, or null when it does not apply. */
type Step = (situation: Situation) => Verdict | null;

const BLOCK: Instruction = { action: "block", route: null };
const NONE: readonly InstructionCode[] = [];
const EXCLUDED_CODES = ["POLICY_EXCLUDED_PROVIDER", "NO_ELIGIBLE_PROVIDER"] as const;
const DEFAULT_ROUTE_CODES = ["DEFAULT_ROUTE_APPLIED"] as const;
const NO_HEALTHY_CODES = ["NO_HEALTHY_PROVIDER_AVAILABLE"] as const;
const FAILED_HERE_CODES = ["PREVIOUS_ATTEMPT_FAILED_HERE"] as const;
const NO_HEALTHY_FAILED_HERE_CODES = [...NO_HEALTHY_CODES, ...FAILED_HERE_CODES] as const;
const FAILOVER_CODES = ["FAILOVER_PREVIOUS_PROVIDER_UNHEALTHY"] as const;
const RETRY_CODES = ["RETRY_ALLOWED_BY_POLICY"] as const;
const SCHEME_RETRY_CODES = ["RETRY_ALLOWED_BY_SCHEME_RULES"] as const;
const SCHEME_RETRY_FAILED_HERE_CODES = [...SCHEME_RETRY_CODES, ...FAILED_HERE_CODES] as const;
const BOTH_RETRY_CODES = [...RETRY_CODES, ...SCHEME_RETRY_CODES] as const;
/** ACT-20: the reason codes of a block by a scheme's rules. */
const SCHEME_BLOCK_CODES = {
  forbidden: ["RETRY_FORBIDDEN_BY_SCHEME"],
  exhausted: ["RETRY_BUDGET_EXHAUSTED"],
  too_early: ["RETRY_TOO_EARLY"],
  low_gain: ["RETRY_GAIN_TOO_LOW"],
} as const;
const HOLD_CODES = ["HOLD_REQUIRED_BY_POLICY"] as const;
const STEP_UP_CODES = ["STEP_UP_REQUIRED_BY_POLICY"] as const;

/** ACT-13: the states from which a route fails over. */
const FAILS_OVER = {
  healthy: false,
  watch: false,
  unknown: false,
  degraded: true,
  critical: true,
  unavailable: true,
} as const satisfies Record<HealthState, boolean>;

/** Step 1. It lists all reasons that apply. */
const block: Step = ({ request, policy, riskBlockThreshold }) => {
  const providerCode = request.previous_attempt?.provider_reason_code;
  const risky = (request.transaction.risk_score ?? 0) > riskBlockThreshold;
  const suppressed = providerCode !== undefined && policy.noRetryReasonCodes.includes(providerCode);
  if (!policy.block && !risky && !suppressed) return null;
  const codes: InstructionCode[] = [];
  if (policy.block) codes.push("BLOCKED_BY_POLICY");
  if (risky) codes.push("RISK_SCORE_ABOVE_BLOCK_THRESHOLD");
  if (suppressed) codes.push("RETRY_SUPPRESSED_BY_POLICY");
  return { instruction: BLOCK, codes, routingCodes: NONE };
};

/** ACT-20: step 1 comes first. If it blocks, only its codes are listed. */
const schemeBlock: Step = ({ schemeRetry }) => {
  const verdict = schemeRetry === null ? "allowed" : verdictOf(schemeRetry);
  if (verdict === "allowed") return null;
  return { instruction: BLOCK, codes: SCHEME_BLOCK_CODES[verdict], routingCodes: NONE };
};

/** Steps 2 and 3. The route is chosen as in steps 4–7. Where those steps would block, this step blocks too. */
function pause(action: "hold" | "step_up", codes: readonly InstructionCode[], situation: Situation): Verdict {
  const chosen = chooseRoute(situation);
  const { route } = chosen.instruction;
  return route === null ? chosen : { instruction: { action, route }, codes, routingCodes: chosen.codes };
}

const hold: Step = (situation) => (situation.policy.hold ? pause("hold", HOLD_CODES, situation) : null);

const stepUp: Step = (situation) =>
  situation.policy.stepUp ? pause("step_up", STEP_UP_CODES, situation) : null;

/**
 * The route of ACT-10: the best-scored provider that the policy does not exclude. ACT-18 applies too: the provider of a
 * failed attempt comes after any other provider in its health state.
 */
function bestOfIneligible(
  evaluations: readonly ProviderEvaluation[],
  failed: ProviderId | null,
): ProviderEvaluation | null {
  let best: ProviderEvaluation | null = null;
  let bestOther: ProviderEvaluation | null = null;
  let failedHasEqual = false;
  const failedState = evaluations.find(({ provider }) => provider === failed)?.segment.snapshot.state;
  for (const evaluation of evaluations) {
    if (evaluation.exclusionReason === "POLICY_EXCLUDED_PROVIDER") continue;
    if (best === null || evaluation.routeScore > best.routeScore) best = evaluation;
    if (evaluation.provider === failed) continue;
    if (bestOther === null || evaluation.routeScore > bestOther.routeScore) bestOther = evaluation;
    if (evaluation.segment.snapshot.state === failedState) failedHasEqual = true;
  }
  return best?.provider === failed && failedHasEqual ? bestOther : best;
}

/** Step 4. */
const noEligibleProvider: Step = ({ request, ranked, defaultProvider, evaluations }) => {
  if (ranked.length > 0) return null;
  if (defaultProvider !== null) {
    const route = { primaryProvider: defaultProvider, fallbackProvider: null };
    return {
      instruction: { action: "use_default_route", route },
      codes: DEFAULT_ROUTE_CODES,
      routingCodes: NONE,
    };
  }
  const failed = request.previous_attempt?.provider ?? null;
  const best = bestOfIneligible(evaluations, failed);
  if (best === null) return { instruction: BLOCK, codes: EXCLUDED_CODES, routingCodes: NONE };
  const route = { primaryProvider: best.provider, fallbackProvider: null };
  const codes = best.provider === failed ? NO_HEALTHY_FAILED_HERE_CODES : NO_HEALTHY_CODES;
  return { instruction: { action: "route", route }, codes, routingCodes: NONE };
};

/** The provider whose attempt timed out, or null. */
function timedOutProvider({ previous_attempt: previous }: DecisionRequest): ProviderId | null {
  return previous !== undefined && previous.outcome === "timeout" ? previous.provider : null;
}

/** The ranked route with `last` moved to the end. Null when no other provider is eligible. */
function routeWithLast(ranked: readonly ProviderEvaluation[], last: ProviderId): Route | null {
  const others = ranked.filter(({ provider }) => provider !== last);
  const [best, next] = others;
  if (best === undefined) return null;
  const fallbackProvider = next?.provider ?? (others.length < ranked.length ? last : null);
  return { primaryProvider: best.provider, fallbackProvider };
}

/** Step 5. The failed provider's health counts even if the provider is not offered again. */
const failover: Step = ({ request, health, ranked }) => {
  const failed = timedOutProvider(request);
  if (failed === null) return null;
  const { payment_method, currency } = request.transaction;
  if (!FAILS_OVER[health.find(failed, payment_method, currency).state]) return null;
  const route = routeWithLast(ranked, failed);
  if (route === null) return null;
  return { instruction: { action: "failover", route }, codes: FAILOVER_CODES, routingCodes: NONE };
};

/** ACT-15. */
const retry: Step = ({ request, policy, schemeRetry, ranked }) => {
  const failed = timedOutProvider(request);
  if (failed === null || policy.retryOnTimeout === null) return null;
  const route = policy.retryOnTimeout.sameProvider
    ? routeWithFirst(ranked, failed)
    : (routeWithLast(ranked, failed) ?? bestRoute(ranked));
  const codes = schemeRetry === null ? RETRY_CODES : BOTH_RETRY_CODES;
  return { instruction: { action: "retry", route }, codes, routingCodes: NONE };
};

/** ACT-21: only the verdict `allowed` reaches this step. The route is chosen as for ACT-18. */
const retryByScheme: Step = ({ request, schemeRetry, ranked }) => {
  if (schemeRetry === null) return null;
  const route = bestRoute(ranked);
  const failedHere = route.primaryProvider === request.previous_attempt?.provider;
  const codes = failedHere ? SCHEME_RETRY_FAILED_HERE_CODES : SCHEME_RETRY_CODES;
  return { instruction: { action: "retry", route }, codes, routingCodes: NONE };
};

/** The ranked route with `first` moved to the front, if it is eligible. */
function routeWithFirst(ranked: readonly ProviderEvaluation[], first: ProviderId): Route {
  if (!ranked.some(({ provider }) => provider === first)) return bestRoute(ranked);
  const next = ranked.find(({ provider }) => provider !== first);
  return { primaryProvider: first, fallbackProvider: next?.provider ?? null };
}

/** `ranked` is not empty, because step 4 has handled that case. */
function bestRoute(ranked: readonly ProviderEvaluation[]): Route {
  const [best, next] = ranked as readonly [ProviderEvaluation, ...ProviderEvaluation[]];
  return { primaryProvider: best.provider, fallbackProvider: next?.provider ?? null };
}

/** ACT-9 to ACT-16, and ACT-21, in order of precedence. ACT-17 applies if none of these steps gives a verdict. */
const ROUTING: readonly Step[] = [noEligibleProvider, failover, retry, retryByScheme];
/** ACT-2 to ACT-6, and ACT-20. */
const INTERVENTIONS: readonly Step[] = [block, schemeBlock, hold, stepUp];

function chooseRoute(situation: Situation): Verdict {
  for (const step of ROUTING) {
    const verdict = step(situation);
    if (verdict !== null) return verdict;
  }
  const route = bestRoute(situation.ranked);
  // ACT-18 has already moved the failed provider behind its equals. If it is still first, the policy or its better
  // health state put it there.
  const failedHere = route.primaryProvider === situation.request.previous_attempt?.provider;
  const codes = failedHere ? FAILED_HERE_CODES : NONE;
  return { instruction: { action: "route", route }, codes, routingCodes: NONE };
}

/** Chooses the single instruction of a decision. */
export function chooseInstruction(situation: Situation): Verdict {
  for (const step of INTERVENTIONS) {
    const verdict = step(situation);
    if (verdict !== null) return verdict;
  }
  return chooseRoute(situation);
}
