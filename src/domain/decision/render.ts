import type { Quote } from "../pricing/pricing-view.js";
import { inOnePiece } from "../vocabulary/in-one-piece.js";
import { LIMITS } from "../vocabulary/limits.js";
import { tableOf } from "../vocabulary/table-of.js";
import {
  ACTIONS,
  DECISION_MODES,
  MODEL_VERSIONS,
  MODES,
  OPTIMIZATION_MODES,
} from "../vocabulary/vocabulary.js";
import type { Decision, Route } from "./decision.js";
import { policyHead } from "./decision-policy.js";
import type { ProviderEvaluation } from "./evaluation.js";
import { codesJson, integerJson, quoteJson, twoDecimalsJson } from "./json-text.js";

/**
 * The decision response as JSON text. It equals `JSON.stringify(toResponse(decision, latencyMs))` byte for byte, but is
 * several times as fast. Parts that decisions share are reused as ready-made texts. They are as few as possible,
 * because writing out one piece costs as much as thirty characters. `latencyMs` is an argument because it is measured
 * after the decision.
 */
export function renderDecision(decision: Decision, latencyMs: number): string {
  const { policy, model } = decision;
  const { action, route } = decision.instruction;
  return (
    `{"decision_id":"${decision.decisionId}","merchant_id":${quoteJson(decision.merchantId)}` +
    BEHIND_MERCHANT[decision.mode][decision.decisionMode][action] +
    routeAndKeyJson(route) +
    decision.risk.json +
    HEALTH_HEAD +
    healthJson(decision.evaluations) +
    (policy.published?.head ?? NO_POLICY_HEAD) +
    policy.matchedRulesJson +
    MODEL_HEADS[model.version] +
    scoresJson(decision.evaluations) +
    pricesJson(model) +
    codesJson(decision.reasonCodes) +
    `,"decision_latency_ms":${twoDecimalsJson(latencyMs)}${TAIL}`
  );
}

const BEHIND_MERCHANT = tableOf(MODES, (mode) =>
  tableOf(DECISION_MODES, (decisionMode) =>
    tableOf(ACTIONS, (action) =>
      inOnePiece(
        ',"mode":"',
        mode,
        '","decision_mode":"',
        decisionMode,
        '","action":"',
        action,
        '","route":',
      ),
    ),
  ),
);

const MODEL_HEADS = tableOf(MODEL_VERSIONS, (version) =>
  inOnePiece(']},"model":{"model_version":"', version, '","route_scores":{'),
);

const TAIL = inOnePiece(',"ttl_ms":', String(LIMITS.decisionTtlMs), "}");

const RISK_KEY = ',"risk":';
const NO_ROUTE = inOnePiece("null", RISK_KEY);
/** By primary, then by fallback. A deployment has few providers, so the map stays small. */
const ROUTES = new Map<string, Map<string | null, string>>();
const ROUTE_PRIMARIES_MAX = 256;

/** The route and the key after it. */
function routeAndKeyJson(route: Route | null): string {
  if (route === null) return NO_ROUTE;
  const { primaryProvider, fallbackProvider } = route;
  return ROUTES.get(primaryProvider)?.get(fallbackProvider) ?? writeRoute(primaryProvider, fallbackProvider);
}

function writeRoute(primary: string, fallback: string | null): string {
  let byFallback = ROUTES.get(primary);
  if (byFallback === undefined) {
    if (ROUTES.size === ROUTE_PRIMARIES_MAX) ROUTES.clear();
    ROUTES.set(primary, (byFallback = new Map()));
  }
  const route = JSON.stringify({ primary_provider: primary, fallback_provider: fallback });
  const json = inOnePiece(route, RISK_KEY);
  byFallback.set(fallback, json);
  return json;
}

const NO_POLICY_HEAD = policyHead(null, null);
const HEALTH_HEAD = ',"provider_health":{';

/** The members of `provider_health`. */
function healthJson(evaluations: readonly ProviderEvaluation[]): string {
  let json = "";
  for (const { segment } of evaluations) json += json === "" ? segment.healthJson : segment.nextHealthJson;
  return json;
}

/** The members of `route_scores`. Without a boost the score is the segment's own, and its text is ready. */
function scoresJson(evaluations: readonly ProviderEvaluation[]): string {
  let json = "";
  for (const { segment, preferenceBoost, routeScore } of evaluations) {
    if (preferenceBoost === 0) json += json === "" ? segment.scoreJson : segment.nextScoreJson;
    else json += `${json === "" ? "" : ","}${segment.providerJson}:${twoDecimalsJson(routeScore)}`;
  }
  return json;
}

const NO_PRICES = '}},"cost":null,"economics":null,"reason_codes":';

/** The text between the scores and the decision's reason codes. */
function pricesJson({ price }: Decision["model"]): string {
  if (price === null) return NO_PRICES;
  const { quote } = price;
  return (
    costHead(quote.estimated_cost_minor) +
    twoDecimalsJson(quote.effective_bps) +
    costTail(price.currency, quote) +
    twoDecimalsJson(price.expectedValueMinor) +
    ECONOMICS_TAILS[price.optimizationMode]
  );
}

const COST_HEADS_MAX = 4096;
const COST_HEADS = Array.from({ length: COST_HEADS_MAX }, (): string | null => null);

/** The text between the scores and the effective share. Most costs are small, so their texts are kept. */
function costHead(costMinor: number): string {
  if (costMinor >= COST_HEADS_MAX) {
    return `}},"cost":{"estimated_cost_minor":${integerJson(costMinor)},"effective_bps":`;
  }
  return (COST_HEADS[costMinor] ??= inOnePiece(
    '}},"cost":{"estimated_cost_minor":',
    integerJson(costMinor),
    ',"effective_bps":',
  ));
}

interface CostTail extends Pick<Quote, "pricing_source" | "confidence_score" | "reason_codes"> {
  text: string;
}

/** For each currency the text after the last cost, up to the expected value. Quotes of one source share it. */
const COST_TAILS = new Map<string, CostTail>();

function costTail(currency: string, { pricing_source, confidence_score, reason_codes }: Quote): string {
  const known = COST_TAILS.get(currency);
  if (
    known !== undefined &&
    known.reason_codes === reason_codes &&
    known.confidence_score === confidence_score &&
    known.pricing_source === pricing_source
  ) {
    return known.text;
  }
  const text = inOnePiece(
    ',"currency":',
    quoteJson(currency),
    `,"pricing_source":"${pricing_source}","confidence_score":${confidence_score}`,
    `,"reason_codes":${codesJson(reason_codes)}},"economics":{"expected_value_minor":`,
  );
  COST_TAILS.set(currency, { pricing_source, confidence_score, reason_codes, text });
  return text;
}

const ECONOMICS_TAILS = tableOf(OPTIMIZATION_MODES, (mode) =>
  inOnePiece(',"model_version":"deterministic-v2","optimization_mode":"', mode, '"},"reason_codes":'),
);
