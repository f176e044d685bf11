import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";

/** COST-3, best first. */
export const PRICING_SOURCES = [
  "merchant_contract",
  "provider_webhook_observed",
  "estimated_fallback",
  "unknown",
] as const;
export type PricingSource = (typeof PRICING_SOURCES)[number];

/** COST-3: `cost`: estimated_fallback and unknown are never treated as real pricing. */
const REAL: Readonly<Record<PricingSource, boolean>> = {
  merchant_contract: true,
  provider_webhook_observed: true,
  estimated_fallback: false,
  unknown: false,
};

/** What one provider would charge for one transaction. */
export interface Quote {
  /** Integer, minor units of the transaction's currency; 0 when unknown. */
  readonly estimated_cost_minor: number;
  /** Basis points of the amount; 0 when unknown. */
  readonly effective_bps: number;
  readonly pricing_source: PricingSource;
  /** 0..100 */
  readonly confidence_score: number;
  readonly reason_codes: readonly string[];
}

/** One merchant's cached pricing as a decision sees it; immutable, no I/O. */
export interface PricingView {
  /** Names what the prices were made from, for the record of a decision; null where nothing of the merchant's own was. */
  readonly version: string | null;
  /** True when the merchant has real pricing cached (contract upload, observed fees): selects deterministic-v2. */
  readonly resolved: boolean;
  quote(provider: ProviderId, transaction: Transaction): Quote;
}

/** Every quote where there is no pricing view at all. */
export const UNKNOWN_QUOTE: Quote = {
  estimated_cost_minor: 0,
  effective_bps: 0,
  pricing_source: "unknown",
  confidence_score: 0,
  reason_codes: ["PRICING_UNKNOWN"],
};

export function isRealPricing(quote: Quote): boolean {
  return REAL[quote.pricing_source];
}
