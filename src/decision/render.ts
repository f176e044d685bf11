import { LIMITS } from "../shared/limits.js";
import { OPTIMIZATION_MODES, type OptimizationMode } from "../shared/vocabulary.js";
import type { Cost, Decision, Route } from "./decision.js";
import type { ProviderEvaluation } from "./evaluation.js";
import { codesJson, quoteJson, quoteJsonOrNull, stringsJson, twoDecimalsJson } from "./json-text.js";
import { roundLatency } from "./response.js";

/**
 * The decision response as JSON text, byte for byte `JSON.stringify(toResponse(decision, latencyMs))` and several
 * times as fast: what depends on a health snapshot alone was written when the snapshot was first seen.
 * `latencyMs` comes in here because it is measured after deciding.
 */
export function renderDecision(decision: Decision, latencyMs: number): string {
  const { risk, policy, evaluations, model } = decision;
  const { action, route } = decision.instruction;
  return (
    `{"decision_id":"${decision.decisionId}","merchant_id":${quoteJson(decision.merchantId)}` +
    `,"mode":"${decision.mode}","decision_mode":"${decision.decisionMode}","action":"${action}"` +
    `,"route":${routeJson(route)}` +
    `,"risk":{"score":${risk.score},"band":"${risk.band}","recommended_action":"${risk.recommendedAction}"` +
    `,"reason_codes":${codesJson(risk.reasonCodes)}},"provider_health":{${healthJson(evaluations)}}` +
    `,"policy":{"policy_id":${quoteJsonOrNull(policy.policyId)}` +
    `,"policy_version":${quoteJsonOrNull(policy.policyVersion)}` +
    `,"matched_rules":${stringsJson(policy.matchedRules)}}` +
    `,"model":{"model_version":"${model.version}","route_scores":{${scoresJson(evaluations)}}}` +
    pricesJson(model) +
    `,"reason_codes":${codesJson(decision.reasonCodes)}` +
    `,"decision_latency_ms":${roundLatency(latencyMs)},"ttl_ms":${LIMITS.decisionTtlMs}}`
  );
}

function routeJson(route: Route | null): string {
  if (route === null) return "null";
  return (
    `{"primary_provider":${quoteJson(route.primaryProvider)}` +
    `,"fallback_provider":${quoteJsonOrNull(route.fallbackProvider)}}`
  );
}

function healthJson(evaluations: readonly ProviderEvaluation[]): string {
  let json = "";
  for (const { segment } of evaluations) json += json === "" ? segment.healthJson : `,${segment.healthJson}`;
  return json;
}

function scoresJson(evaluations: readonly ProviderEvaluation[]): string {
  let json = "";
  for (const evaluation of evaluations) json += (json === "" ? "" : ",") + scoreJson(evaluation);
  return json;
}

/** `"provider_1":87.42`; without a boost the score is the segment's own, and its text is at hand. */
function scoreJson({ segment, preferenceBoost, routeScore }: ProviderEvaluation): string {
  return preferenceBoost === 0 ? segment.scoreJson : `${segment.providerJson}:${routeScore}`;
}

const NO_PRICES = ',"cost":null,"economics":null';

function pricesJson({ cost, economics }: Decision["model"]): string {
  if (cost === null) return NO_PRICES;
  return (
    `,"cost":{"estimated_cost_minor":${cost.estimated_cost_minor}` +
    `,"effective_bps":${twoDecimalsJson(cost.effective_bps)}${costTail(cost)}` +
    twoDecimalsJson(economics.expected_value_minor) +
    ECONOMICS_TAILS[economics.optimization_mode]
  );
}

interface CostTail extends Pick<Cost, "pricing_source" | "confidence_score" | "reason_codes"> {
  text: string;
}

/** By currency, what stood behind the last cost in it, up to the expected value: the quotes of one source share it. */
const COST_TAILS = new Map<string, CostTail>();

function costTail({ currency, pricing_source, confidence_score, reason_codes }: Cost): string {
  const known = COST_TAILS.get(currency);
  if (
    known !== undefined &&
    known.reason_codes === reason_codes &&
    known.confidence_score === confidence_score &&
    known.pricing_source === pricing_source
  ) {
    return known.text;
  }
  const text =
    `,"currency":${quoteJson(currency)},"pricing_source":"${pricing_source}"` +
    `,"confidence_score":${confidence_score},"reason_codes":${codesJson(reason_codes)}}` +
    ',"economics":{"expected_value_minor":';
  COST_TAILS.set(currency, { pricing_source, confidence_score, reason_codes, text });
  return text;
}

const ECONOMICS_TAILS = Object.fromEntries(
  OPTIMIZATION_MODES.map((mode) => [
    mode,
    `,"model_version":"deterministic-v2","optimization_mode":"${mode}"}`,
  ]),
) as Record<OptimizationMode, string>;
