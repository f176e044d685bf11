import {
  NOTHING_MATCHED,
  type Optimization,
  type PolicyEvaluation,
  type MatchedRule,
} from "../policy/policy-evaluation.js";
import { assessRisk } from "../risk/assess-risk.js";
import type { ProviderId, RiskSignals, Transaction } from "../vocabulary/decision-request.js";
import type { HealthSource, OptimizationMode } from "../vocabulary/vocabulary.js";
import type {
  BlockModel,
  DecideInput,
  Decision,
  PolicyReference,
  RoutedModel,
  InstructionCode,
} from "./decision.js";
import { priceOf } from "./economics.js";
import { type EvaluationInput, ProviderEvaluation, type ExclusionReason, segmentsOf } from "./evaluation.js";
import { toPolicyFacts } from "../policy/compile-policy.js";
import { chooseInstruction } from "./precedence.js";
import { rankEligible, isPreferred, isStrictlyPreferred } from "./ranking.js";
import { judgeByScheme, NO_ATTEMPTS } from "./scheme-retry.js";
import type { DecisionPolicy } from "./decision-policy.js";

const NO_SIGNALS: RiskSignals = {};
const DETERMINISTIC_V1 = { version: "deterministic-v1", price: null } as const;
const BLOCK_V2: BlockModel = { version: "deterministic-v2", price: null };
const NO_POLICY: PolicyReference = { published: null, matchedRules: [] };

/**
 * The decision (SVC-5): a pure function of the request and one generation of cached context. The same input gives the
 * same decision on any worker and after any restart. Nothing here does I/O, reads a clock or draws random numbers.
 */
export function decide(input: DecideInput): Decision {
  const { decisionId, request, context, mode, nowMs, attempts = NO_ATTEMPTS } = input;
  const { transaction, merchant_id: merchantId } = request;
  const { health, pricing } = context;
  const decisionMode = request.decision_mode ?? context.defaultDecisionMode;

  const risk = assessRisk({
    transaction,
    signals: request.risk_signals ?? NO_SIGNALS,
    normalAmountMaxMinor: context.normalAmountMaxMinor,
  });
  const rules = context.policy?.compiled ?? null;
  const policy =
    rules?.evaluate(toPolicyFacts(request, mode, decisionMode, risk, nowMs, health)) ?? NOTHING_MATCHED;

  // COST-1: costs are weighed if a policy or a price contract asks for it.
  const costAware = rules?.declaresCostControls === true || pricing?.resolved === true;
  const segments = segmentsOf(health, transaction.payment_method, transaction.currency);
  const evaluationInput: EvaluationInput = { transaction, policy, pricing, costAware };
  const evaluate = (provider: ProviderId): ProviderEvaluation =>
    new ProviderEvaluation(provider, segments.of(provider), evaluationInput);
  const evaluations = request.available_providers.map(evaluate);
  const splitPick = policy.trafficSplit?.(request.order_id) ?? null;
  const failedProvider = request.previous_attempt?.provider ?? null;
  const ranked = rankEligible(evaluations, { policy, splitPick, amount: transaction.amount, failedProvider });
  const schemeRetry =
    policy.retryWithinSchemeRules &&
    judgeByScheme({ request, policy, attempts, best: ranked[0] ?? null, nowMs });
  const { instruction, codes, routingCodes } = chooseInstruction({
    request,
    health,
    riskBlockThreshold: context.riskBlockThreshold,
    policy,
    schemeRetry,
    defaultProvider: rules?.defaultProvider ?? null,
    evaluations,
    ranked,
  });

  const reference = referenceOf(context.policy, policy.matchedRules);
  const explain = (primary: ProviderEvaluation | null): string[] =>
    collectReasonCodes({
      instruction: codes,
      routing: routingCodes,
      policy,
      evaluations,
      ranked,
      splitPick,
      primary,
      risk: risk.reasonCodes,
    });

  if (instruction.action === "block") {
    return {
      decisionId,
      merchantId,
      mode,
      decisionMode,
      instruction,
      risk,
      policy: reference,
      evaluations,
      providerHealthSource: commonSource(evaluations),
      model: costAware ? BLOCK_V2 : DETERMINISTIC_V1,
      reasonCodes: explain(null),
      schemeRetry,
    };
  }
  const { primaryProvider } = instruction.route;
  // The default provider of a policy can be missing from the offered ones.
  const primary = findEvaluation(primaryProvider, evaluations) ?? evaluate(primaryProvider);
  return {
    decisionId,
    merchantId,
    mode,
    decisionMode,
    instruction,
    risk,
    policy: reference,
    evaluations,
    providerHealthSource: primary.segment.snapshot.source,
    model: modelOf(primary, transaction, policy.optimizeFor),
    reasonCodes: explain(primary),
    schemeRetry,
  };
}

function referenceOf(
  published: DecisionPolicy | null,
  matchedRules: readonly MatchedRule[],
): PolicyReference {
  return published === null ? NO_POLICY : { published, matchedRules };
}

function findEvaluation(
  provider: ProviderId,
  evaluations: readonly ProviderEvaluation[],
): ProviderEvaluation | null {
  for (const evaluation of evaluations) if (evaluation.provider === provider) return evaluation;
  return null;
}

/** RES-11: `cost` and `economics` have values on deterministic-v2 and are null on deterministic-v1. */
function modelOf(
  { quote, segment }: ProviderEvaluation,
  transaction: Transaction,
  optimization: Optimization | null,
): RoutedModel {
  if (quote === null) return DETERMINISTIC_V1;
  const price = priceOf(quote, segment.approvalProbability, transaction, optimization);
  return { version: "deterministic-v2", price };
}

/**
 * The health source of a block, which has no primary provider: the one that all offered providers share, else
 * `partial`.
 */
function commonSource(evaluations: readonly ProviderEvaluation[]): HealthSource {
  const [first, ...others] = evaluations;
  if (first === undefined) return "unknown";
  const { source } = first.segment.snapshot;
  return others.every(({ segment }) => segment.snapshot.source === source) ? source : "partial";
}

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

function addCode(codes: string[], code: string | null): void {
  if (code !== null && !codes.includes(code)) codes.push(code);
}

function addCodes(codes: string[], more: readonly string[]): void {
  for (const code of more) addCode(codes, code);
}

/**
 * True if the primary's approval rate is higher than that of every other eligible provider. False if it is the only
 * eligible provider or shares the highest rate. CODE-2: the rate of a provider without samples is an assumption, so no
 * rate is higher than that one, or lower.
 */
function hasHighestApprovalRate(primary: ProviderEvaluation, ranked: readonly ProviderEvaluation[]): boolean {
  if (ranked.length < 2) return false;
  const { approval_rate: rate } = primary.segment.snapshot;
  for (const one of ranked) {
    const { snapshot } = one.segment;
    if (snapshot.sample_size === 0 || (one !== primary && snapshot.approval_rate >= rate)) return false;
  }
  return true;
}

/** Adds the codes for how the ranking chose an eligible primary. */
function addSelection(codes: string[], primary: ProviderEvaluation, input: ReasonInput): void {
  const { policy, ranked, splitPick } = input;
  const isSplitPick = primary.provider === splitPick;
  if (hasHighestApprovalRate(primary, ranked)) addCode(codes, "HIGHER_EXPECTED_APPROVAL_RATE");
  if (isPreferred(primary, policy)) addCode(codes, "POLICY_PREFERRED_PROVIDER");
  if (primary !== ranked[0]) return;
  if (isSplitPick) addCode(codes, "TRAFFIC_SPLIT_APPLIED");
  else if (policy.optimizeFor !== null && ranked.length > 1 && !isStrictlyPreferred(primary, policy)) {
    addCode(codes, OPTIMIZED_CODES[policy.optimizeFor.mode]);
  }
}

function addExclusion(
  codes: string[],
  evaluations: readonly ProviderEvaluation[],
  reason: ExclusionReason,
): void {
  if (evaluations.some(({ exclusionReason }) => exclusionReason === reason)) addCode(codes, reason);
}

/** The decision's reason codes in UPPER_SNAKE, without duplicates, from the most to the least decisive code. */
function collectReasonCodes(input: ReasonInput): string[] {
  const { policy, evaluations, ranked, primary } = input;
  const anyExcluded = ranked.length < evaluations.length;
  const codes: string[] = [];
  addCodes(codes, input.instruction);
  addCode(codes, policy.blockReasonCode);
  addCode(codes, policy.holdReasonCode);
  addCode(codes, policy.stepUpReasonCode);
  addCodes(codes, input.routing);
  if (primary !== null && ranked.includes(primary)) addSelection(codes, primary, input);
  if (anyExcluded) addExclusion(codes, evaluations, "POLICY_EXCLUDED_PROVIDER");

  if (primary !== null) addCode(codes, primary.segment.healthyCode);
  for (const { segment } of evaluations) addCodes(codes, segment.warningCodes);
  if (anyExcluded) for (const reason of LATER_EXCLUSIONS) addExclusion(codes, evaluations, reason);

  if (policy.limitsCost && evaluations.some(({ costLimitChecked }) => costLimitChecked === false)) {
    addCode(codes, "COST_LIMIT_NOT_CHECKED");
  }
  if (primary !== null && primary.quote !== null) addCodes(codes, primary.quote.reason_codes);
  addCodes(codes, input.risk);
  return codes;
}
