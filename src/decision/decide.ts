import type { CompiledPolicy } from "../policy/compile-policy.js";
import { NOTHING_MATCHED, type Optimization, type PolicyEvaluation } from "../policy/policy-evaluation.js";
import { assessRisk } from "../risk/assess-risk.js";
import type { RiskSignals, Transaction } from "../shared/decision-request.js";
import type { HealthSource } from "../shared/vocabulary.js";
import type { BlockModel, DecideInput, Decision, PolicyReference, RoutedModel } from "./decision.js";
import { economicsOf } from "./economics.js";
import { type EvaluationInput, type ProviderEvaluation, evaluateProvider } from "./evaluation.js";
import { toPolicyFacts } from "./facts.js";
import { chooseInstruction } from "./precedence.js";
import { rankEligible } from "./ranking.js";
import { roundTo2, segmentsOf } from "./segment.js";
import { collectReasonCodes } from "./reason-codes.js";

const NO_SIGNALS: RiskSignals = {};
const DETERMINISTIC_V1 = { version: "deterministic-v1", cost: null, economics: null } as const;
const BLOCK_V2: BlockModel = { version: "deterministic-v2", cost: null, economics: null };
const NO_POLICY: PolicyReference = { policyId: null, policyVersion: null, matchedRules: [] };

/**
 * The decision (contract §4): a pure function of the request and one generation of cached context. The same input
 * gives the same decision on any worker and after any restart; nothing here does I/O, reads a clock or draws numbers.
 */
export function decide(input: DecideInput): Decision {
  const { request, context, mode, nowMs } = input;
  const { transaction } = request;
  const { health, pricing } = context;
  const decisionMode = request.decision_mode ?? context.defaultDecisionMode;

  const risk = assessRisk({
    transaction,
    signals: request.risk_signals ?? NO_SIGNALS,
    normalAmountMaxMinor: context.normalAmountMaxMinor,
  });
  const policy =
    context.policy?.evaluate(toPolicyFacts(request, mode, decisionMode, risk, nowMs, health)) ??
    NOTHING_MATCHED;

  // spec "Model generations".
  const costAware = context.policy?.declaresCostControls === true || pricing?.resolved === true;
  const segments = segmentsOf(health, transaction.payment_method, transaction.currency);
  const evaluationInput: EvaluationInput = { transaction, segments, policy, pricing, costAware };
  const evaluations = request.available_providers.map((provider) =>
    evaluateProvider(provider, evaluationInput),
  );
  const splitPick = policy.trafficSplit?.(request.order_id) ?? null;
  const ranked = rankEligible(evaluations, policy, splitPick, transaction.amount);

  const { instruction, codes, routingCodes } = chooseInstruction({
    request,
    health,
    riskBlockThreshold: context.riskBlockThreshold,
    policy,
    defaultProvider: context.policy?.defaultProvider ?? null,
    evaluations,
    ranked,
  });

  const { decisionId } = input;
  const merchantId = request.merchant_id;
  const reference = context.policy === null ? NO_POLICY : referTo(context.policy, policy);
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
    };
  }
  const primary = findOrEvaluate(instruction.route.primaryProvider, evaluations, evaluationInput);
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
  };
}

/** The primary's own evaluation; a default provider need not be among those offered. */
function findOrEvaluate(
  provider: string,
  evaluations: readonly ProviderEvaluation[],
  input: EvaluationInput,
): ProviderEvaluation {
  for (const evaluation of evaluations) if (evaluation.provider === provider) return evaluation;
  return evaluateProvider(provider, input);
}

function referTo(compiled: CompiledPolicy, { matchedRules }: Readonly<PolicyEvaluation>): PolicyReference {
  return { policyId: compiled.policyId, policyVersion: compiled.version, matchedRules };
}

/** Basis points are shown to two decimals; limits are compared with all of them. spec `cost` and `economics`: filled in on deterministic-v2, null on deterministic-v1. */
function modelOf(
  { quote, segment }: ProviderEvaluation,
  { amount, currency }: Transaction,
  optimization: Optimization | null,
): RoutedModel {
  if (quote === null) return DETERMINISTIC_V1;
  const { estimated_cost_minor, effective_bps, pricing_source, confidence_score, reason_codes } = quote;
  return {
    version: "deterministic-v2",
    cost: {
      estimated_cost_minor,
      effective_bps: roundTo2(effective_bps),
      currency,
      pricing_source,
      confidence_score,
      reason_codes,
    },
    economics: economicsOf(quote, segment.approvalProbability, amount, optimization),
  };
}

/** On a block there is no primary: what the offered providers share, else `partial`. */
function commonSource(evaluations: readonly ProviderEvaluation[]): HealthSource {
  const [first, ...others] = evaluations;
  if (first === undefined) return "unknown";
  const { source } = first.segment.snapshot;
  return others.every(({ segment }) => segment.snapshot.source === source) ? source : "partial";
}
