import type { Decision, Route } from "../../domain/decision/decision.js";
import type { DecisionPolicy } from "../../domain/decision/decision-policy.js";
import type { MatchedRule } from "../../domain/policy/policy-evaluation.js";
import type { Quote } from "../../domain/pricing/pricing-view.js";
import type { Risk } from "../../domain/risk/assess-risk.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { tableOf } from "../../domain/vocabulary/table-of.js";
import {
  ACTIONS,
  DECISION_MODES,
  MODEL_VERSIONS,
  MODES,
  OPTIMIZATION_MODES,
} from "../../domain/vocabulary/vocabulary.js";
import { codesJson, integerJson, quoteJson, twoDecimalsJson, writtenOnce, inOnePiece } from "./json-text.js";
import { piecesOf } from "./segment-pieces.js";

/**
 * Writes the decision response as JSON. The text equals `JSON.stringify(toResponse(decision, latencyMs))` byte for
 * byte, but is written several times as fast. Decisions share most of their text, so shared text is written one time
 * and kept. A reply joins few pieces, because writing out a piece costs as much as thirty characters. `latencyMs` is an
 * argument because it is measured after the decision.
 */
export function writeReply(decision: Decision, latencyMs: number): string {
  const { policy, model } = decision;
  const { action, route } = decision.instruction;
  // The members of `provider_health` and of `route_scores`.
  let health = "";
  let scores = "";
  for (const { segment, preferenceBoost, routeScore } of decision.evaluations) {
    const pieces = piecesOf(segment);
    const isFirst = health === "";
    health += isFirst ? pieces.health : pieces.nextHealth;
    // Without a boost, the score is the segment's own, whose text exists.
    if (preferenceBoost === 0) scores += isFirst ? pieces.score : pieces.nextScore;
    else scores += `${isFirst ? "" : ","}${pieces.provider}:${twoDecimalsJson(routeScore)}`;
  }
  return (
    `{"decision_id":"${decision.decisionId}","merchant_id":${quoteJson(decision.merchantId)}` +
    BEHIND_MERCHANT[decision.mode][decision.decisionMode][action] +
    routeAndKeyJson(route) +
    riskJson(decision.risk) +
    HEALTH_HEAD +
    health +
    (policy.published === null ? NO_POLICY_HEAD : policyHead(policy.published)) +
    namesJson(policy.matchedRules) +
    MODEL_HEADS[model.version] +
    scores +
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
/** Texts by primary and then by fallback. A deployment has few providers, so the map stays small. */
const ROUTES = new Map<string, Map<string | null, string>>();
const ROUTE_PRIMARIES_MAX = 256;

/** The text of the route and of the key that follows it. */
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

/** Decisions share 1616 different risks, so each is written only one time. */
const riskJson = writtenOnce(({ score, band, recommendedAction, reasonCodes }: Risk) =>
  JSON.stringify({ score, band, recommended_action: recommendedAction, reason_codes: reasonCodes }),
);

const NO_POLICY_HEAD = writePolicyHead(null, null);
const policyHead = writtenOnce(({ policyId, version }: DecisionPolicy) => writePolicyHead(policyId, version));

/** Writes the part of the reply from the end of `provider_health` to the opening bracket of `matched_rules`. */
function writePolicyHead(policyId: string | null, version: string | null): string {
  const [id, versionJson] = [JSON.stringify(policyId), JSON.stringify(version)];
  return inOnePiece('},"policy":{"policy_id":', id, ',"policy_version":', versionJson, ',"matched_rules":[');
}

/** The text of a rule's name as the first member of a list, and as a later member. */
const namePieces = writtenOnce(({ name }: MatchedRule) => {
  const first = JSON.stringify(name);
  return { first, next: inOnePiece(",", first) };
});

/** The members of `matched_rules`. */
function namesJson(rules: readonly MatchedRule[]): string {
  let json = "";
  for (const rule of rules) {
    const { first, next } = namePieces(rule);
    json += json === "" ? first : next;
  }
  return json;
}

const HEALTH_HEAD = ',"provider_health":{';

const NO_PRICES = '}},"cost":null,"economics":null,"reason_codes":';

/** The text of the reply between the scores and the decision's reason codes. */
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

/**
 * The text between the scores and the value of `effective_bps`. Most costs are small, so the texts of small costs are
 * kept.
 */
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

/** By currency: the last written text between `effective_bps` and the expected value. Quotes of one source share it. */
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
