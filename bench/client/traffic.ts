import type {
  DecisionRequest,
  PreviousAttempt,
  RiskSignals,
  Transaction,
} from "../../src/domain/vocabulary/decision-request.js";
import {
  CARD_NETWORKS,
  CUSTOMER_TYPES,
  PAYMENT_METHODS,
  PREVIOUS_OUTCOMES,
  REPORTED_RISK_BANDS,
  TRANSACTION_TYPES,
} from "../../src/domain/vocabulary/vocabulary.js";
import { createRandom, type Random } from "./random.js";

export interface TrafficOptions {
  seed: number;
  /** An unknown merchant gets a 403, so the default is only the demo merchant. */
  merchants: readonly string[];
  providers: readonly string[];
}

export const DEFAULT_MERCHANTS = ["demo_merchant"] as const;
export const DEFAULT_PROVIDERS = [
  "provider_1",
  "provider_2",
  "provider_3",
  "provider_4",
  "provider_5",
] as const;

/** The markets that payments come from. Their currencies have the ISO 4217 exponents 0 (JPY), 2 and 3 (KWD). */
const MARKETS = [
  { country: "US", currency: "USD", exponent: 2, unitsPerUsd: 1, weight: 26 },
  { country: "GB", currency: "GBP", exponent: 2, unitsPerUsd: 0.8, weight: 11 },
  { country: "DE", currency: "EUR", exponent: 2, unitsPerUsd: 0.9, weight: 10 },
  { country: "FR", currency: "EUR", exponent: 2, unitsPerUsd: 0.9, weight: 7 },
  { country: "NG", currency: "NGN", exponent: 2, unitsPerUsd: 1500, weight: 14 },
  { country: "KE", currency: "KES", exponent: 2, unitsPerUsd: 130, weight: 8 },
  { country: "IN", currency: "INR", exponent: 2, unitsPerUsd: 84, weight: 9 },
  { country: "BR", currency: "BRL", exponent: 2, unitsPerUsd: 5.4, weight: 6 },
  { country: "JP", currency: "JPY", exponent: 0, unitsPerUsd: 150, weight: 5 },
  { country: "KW", currency: "KWD", exponent: 3, unitsPerUsd: 0.31, weight: 2 },
  { country: "ZA", currency: "ZAR", exponent: 2, unitsPerUsd: 18, weight: 2 },
] as const;
const MARKET_WEIGHTS = MARKETS.map((market) => market.weight);

const METHOD_WEIGHTS = [68, 16, 9, 7] as const;
const NETWORK_WEIGHTS = [48, 34, 7, 3, 6, 2] as const;
const CUSTOMER_WEIGHTS = [22, 60, 18] as const;
const TYPE_WEIGHTS = [55, 40, 5] as const;
const BAND_WEIGHTS = [78, 17, 5] as const;
const PREVIOUS_OUTCOME_WEIGHTS = [35, 50, 15] as const;
const REASON_CODES = [
  "insufficient_funds",
  "do_not_honor",
  "issuer_unavailable",
  "51",
  "05",
  "91",
  "stolen_card",
];

/** The number of digits in the order counter. It is fixed, so that a request can be renumbered in place. */
export const ORDER_COUNTER_DIGITS = 12;

/** An endless, seeded stream of valid bodies for POST /v1/decision (REQ-1). */
export interface Traffic {
  next(): DecisionRequest;
}

export function createTraffic(options: TrafficOptions): Traffic {
  const random = createRandom(options.seed);
  const prefix = orderIdPrefix(options.seed);
  let orders = 0;
  return {
    next() {
      const request: DecisionRequest = {
        merchant_id: random.pick(options.merchants),
        order_id: prefix + String(orders++).padStart(ORDER_COUNTER_DIGITS, "0"),
        transaction: transaction(random),
        available_providers: offer(random, options.providers),
      };
      if (random.chance(0.12)) request.previous_attempt = previousAttempt(random, options.providers);
      if (random.chance(0.85)) request.risk_signals = riskSignals(random);
      if (random.chance(0.05)) request.decision_mode = "shadow";
      return request;
    },
  };
}

/** `ord_<seed>_`, followed by the order counter. */
export function orderIdPrefix(seed: number): string {
  return `ord_${(seed >>> 0).toString(36).padStart(7, "0")}_`;
}

function transaction(random: Random): Transaction {
  const market = random.weighted(MARKETS, MARKET_WEIGHTS);
  const result: Transaction = {
    amount: amountMinor(random, market.unitsPerUsd, market.exponent),
    currency: market.currency,
    country: market.country,
    payment_method: random.weighted(PAYMENT_METHODS, METHOD_WEIGHTS),
  };
  if (result.payment_method === "card") result.card_network = random.weighted(CARD_NETWORKS, NETWORK_WEIGHTS);
  if (random.chance(0.6)) result.transaction_type = random.weighted(TRANSACTION_TYPES, TYPE_WEIGHTS);
  if (random.chance(0.9)) result.customer_type = random.weighted(CUSTOMER_TYPES, CUSTOMER_WEIGHTS);
  if (random.chance(0.6)) result.risk_level = random.weighted(REPORTED_RISK_BANDS, BAND_WEIGHTS);
  if (random.chance(0.55)) result.risk_score = riskScore(random);
  return result;
}

/** Basket sizes are roughly log-normal: the median is 40 USD, and one in a thousand exceeds about 1500. */
function amountMinor(random: Random, unitsPerUsd: number, exponent: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const usd = 40 * Math.exp(1.2 * normal);
  return Math.max(1, Math.round(usd * unitsPerUsd * 10 ** exponent));
}

/** The score is mostly low. About one in thirty exceeds the default block threshold of 90. */
function riskScore(random: Random): number {
  return Math.floor(101 * random.next() ** 3);
}

/** One to five of the providers, in the merchant's own order. Most merchants can use several. */
function offer(random: Random, providers: readonly string[]): string[] {
  const shuffled = [...providers];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = random.integer(0, i);
    [shuffled[i], shuffled[j]] = [shuffled[j] as string, shuffled[i] as string];
  }
  const most = Math.min(5, providers.length);
  return shuffled.slice(0, random.chance(0.08) ? 1 : random.integer(Math.min(2, most), most));
}

function previousAttempt(random: Random, providers: readonly string[]): PreviousAttempt {
  const outcome = random.weighted(PREVIOUS_OUTCOMES, PREVIOUS_OUTCOME_WEIGHTS);
  const attempt: PreviousAttempt = { provider: random.pick(providers), outcome };
  if (outcome !== "timeout") attempt.provider_reason_code = random.pick(REASON_CODES);
  return attempt;
}

function riskSignals(random: Random): RiskSignals {
  const lastHour = Math.floor(12 * random.next() ** 4);
  const signals: RiskSignals = { velocity_count_1h: lastHour };
  if (random.chance(0.8)) signals.velocity_count_10m = Math.floor(lastHour * random.next());
  if (random.chance(0.6)) signals.velocity_amount_1h = lastHour * random.integer(500, 20_000);
  if (random.chance(0.8)) signals.previous_success_count = Math.floor(40 * random.next() ** 2);
  if (random.chance(0.7)) signals.previous_decline_count = Math.floor(6 * random.next() ** 3);
  if (random.chance(0.7)) signals.order_age_seconds = random.integer(3, 1800);
  if (random.chance(0.75)) signals.device_risk_band = random.weighted(REPORTED_RISK_BANDS, BAND_WEIGHTS);
  if (random.chance(0.75)) signals.ip_country_match = random.chance(0.94);
  if (random.chance(0.4)) signals.merchant_supplied_risk_score = riskScore(random);
  return signals;
}
