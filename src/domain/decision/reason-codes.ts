import type { PolicyEvaluation } from "../policy/policy-evaluation.js";
import type { ProviderId } from "../vocabulary/decision-request.js";
import type { OptimizationMode } from "../vocabulary/vocabulary.js";
import type { ExclusionReason, ProviderEvaluation } from "./evaluation.js";
import { isPreferred, isStrictlyPreferred } from "./ranking.js";

/**
 * The codes of the instruction itself. A decision's list also has custom policy codes, the segments' `<PROVIDER>_…`
 * codes, the quote's codes and the risk codes.
 */
export type InstructionCode =
  | "BLOCKED_BY_POLICY"
  | "RISK_SCORE_ABOVE_BLOCK_THRESHOLD"
  | "RETRY_SUPPRESSED_BY_POLICY"
  | "HOLD_REQUIRED_BY_POLICY"
  | "STEP_UP_REQUIRED_BY_POLICY"
  | "DEFAULT_ROUTE_APPLIED"
  | "NO_HEALTHY_PROVIDER_AVAILABLE"
  | "POLICY_EXCLUDED_PROVIDER"
  | "NO_ELIGIBLE_PROVIDER"
  | "FAILOVER_PREVIOUS_PROVIDER_UNHEALTHY"
  | "RETRY_ALLOWED_BY_POLICY"
  | "RETRY_ALLOWED_BY_SCHEME_RULES"
  | "RETRY_FORBIDDEN_BY_SCHEME"
  | "RETRY_BUDGET_EXHAUSTED"
  | "RETRY_TOO_EARLY"
  | "RETRY_GAIN_TOO_LOW"
  | "PREVIOUS_ATTEMPT_FAILED_HERE";

const OPTIMIZED_CODES = {
  approval: "OPTIMIZED_FOR_APPROVAL",
  cost: "OPTIMIZED_FOR_COST",
  balanced: "OPTIMIZED_FOR_BALANCED",
  margin: "OPTIMIZED_FOR_MARGIN",
} as const satisfies Record<OptimizationMode, string>;

/** The exclusion codes that the list has after the provider health codes. POLICY_EXCLUDED_PROVIDER is before them. */
const LATER_EXCLUSIONS: readonly ExclusionReason[] = [
  "CIRCUIT_OPEN",
  "HEALTH_CRITICAL",
  "HEALTH_BELOW_POLICY_MINIMUM",
  "COST_ABOVE_POLICY_LIMIT",
];

export interface ReasonInput {
  readonly instruction: readonly InstructionCode[];
  /** The codes that explain the route of a hold or step-up. */
  readonly routing: readonly InstructionCode[];
  readonly policy: Readonly<PolicyEvaluation>;
  /** All offered providers. */
  readonly evaluations: readonly ProviderEvaluation[];
  /** The eligible providers, best first. */
  readonly ranked: readonly ProviderEvaluation[];
  readonly splitPick: ProviderId | null;
  /** Null on a block. */
  readonly primary: ProviderEvaluation | null;
  readonly risk: readonly string[];
}

function add(codes: string[], code: string | null): void {
  if (code !== null && !codes.includes(code)) codes.push(code);
}

function addAll(codes: string[], more: readonly string[]): void {
  for (const code of more) add(codes, code);
}

/**
 * True if the primary's approval rate is higher than that of every other eligible provider. False if it is the only
 * eligible provider or shares the highest rate.
 */
function hasHighestApprovalRate(primary: ProviderEvaluation, ranked: readonly ProviderEvaluation[]): boolean {
  if (ranked.length < 2) return false;
  const rate = primary.segment.snapshot.approval_rate;
  for (const other of ranked)
    if (other !== primary && other.segment.snapshot.approval_rate >= rate) return false;
  return true;
}

/** Adds the codes for how the ranking chose an eligible primary. */
function addSelection(codes: string[], primary: ProviderEvaluation, input: ReasonInput): void {
  const { policy, ranked, splitPick } = input;
  const isSplitPick = primary.provider === splitPick;
  if (hasHighestApprovalRate(primary, ranked)) add(codes, "HIGHER_EXPECTED_APPROVAL_RATE");
  if (isPreferred(primary, policy)) add(codes, "POLICY_PREFERRED_PROVIDER");
  if (primary !== ranked[0]) return;
  if (isSplitPick) add(codes, "TRAFFIC_SPLIT_APPLIED");
  else if (policy.optimizeFor !== null && ranked.length > 1 && !isStrictlyPreferred(primary, policy)) {
    add(codes, OPTIMIZED_CODES[policy.optimizeFor.mode]);
  }
}

function addExclusion(
  codes: string[],
  evaluations: readonly ProviderEvaluation[],
  reason: ExclusionReason,
): void {
  if (evaluations.some(({ exclusionReason }) => exclusionReason === reason)) add(codes, reason);
}

/** The decision's reason codes in UPPER_SNAKE, without duplicates, from the most to the least decisive code. */
export function collectReasonCodes(input: ReasonInput): string[] {
  const { policy, evaluations, ranked, primary } = input;
  const anyExcluded = ranked.length < evaluations.length;
  const codes: string[] = [];
  addAll(codes, input.instruction);
  add(codes, policy.blockReasonCode);
  add(codes, policy.holdReasonCode);
  add(codes, policy.stepUpReasonCode);
  addAll(codes, input.routing);
  if (primary !== null && ranked.includes(primary)) addSelection(codes, primary, input);
  if (anyExcluded) addExclusion(codes, evaluations, "POLICY_EXCLUDED_PROVIDER");

  if (primary !== null) add(codes, primary.segment.healthyCode);
  for (const { segment } of evaluations) addAll(codes, segment.warningCodes);
  if (anyExcluded) for (const reason of LATER_EXCLUSIONS) addExclusion(codes, evaluations, reason);

  if (policy.limitsCost && evaluations.some(({ costLimitChecked }) => costLimitChecked === false)) {
    add(codes, "COST_LIMIT_NOT_CHECKED");
  }
  if (primary !== null && primary.quote !== null) addAll(codes, primary.quote.reason_codes);
  addAll(codes, input.risk);
  return codes;
}
