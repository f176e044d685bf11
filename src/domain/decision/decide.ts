import { NOTHING_MATCHED, type Optimization } from "../policy/policy-evaluation.js";
import { assessRisk } from "../risk/assess-risk.js";
import type { ProviderId, RiskSignals, Transaction } from "../vocabulary/decision-request.js";
import type { HealthSource } from "../vocabulary/vocabulary.js";
import type { BlockModel, DecideInput, Decision, PolicyReference, RoutedModel } from "./decision.js";
import { priceOf } from "./economics.js";
import { type EvaluationInput, ProviderEvaluation } from "./evaluation.js";
import { toPolicyFacts } from "./facts.js";
import { chooseInstruction } from "./precedence.js";
import { rankEligible } from "./ranking.js";
import { judgeByScheme, NO_ATTEMPTS } from "./scheme-retry.js";
import { segmentsOf } from "./segment.js";
import { collectReasonCodes } from "./reason-codes.js";

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

  // COST-1.
  const costAware = rules?.declaresCostControls === true || pricing?.resolved === true;
  const segments = segmentsOf(health, transaction.payment_method, transaction.currency);
  const evaluationInput: EvaluationInput = { transaction, policy, pricing, costAware };
  const evaluate = (provider: ProviderId): ProviderEvaluation =>
    new ProviderEvaluation(provider, segments.of(provider), evaluationInput);
  const evaluations = request.available_providers.map(evaluate);
  const splitPick = policy.trafficSplit?.(request.order_id) ?? null;
  const failedProvider = request.previous_attempt?.provider ?? null;
  const ranked = rankEligible(evaluations, { policy, splitPick, amount: transaction.amount, failedProvider });
  const schemeRetry = judgeByScheme({ request, policy, attempts, best: ranked[0] ?? null, nowMs });
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

  const { matchedRules } = policy;
  const reference: PolicyReference =
    context.policy === null ? NO_POLICY : { published: context.policy, matchedRules };
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
