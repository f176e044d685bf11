import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";

/** COST-3: the best source comes first. */
export const PRICING_SOURCES = [
  "merchant_contract",
  "provider_webhook_observed",
  "estimated_fallback",
  "unknown",
] as const;
export type PricingSource = (typeof PRICING_SOURCES)[number];

/** COST-3, `cost`: estimated_fallback and unknown never count as real pricing. */
const REAL: Readonly<Record<PricingSource, boolean>> = {
  merchant_contract: true,
  provider_webhook_observed: true,
  estimated_fallback: false,
  unknown: false,
};

/** The price that one provider would charge for one transaction. */
export interface Quote {
  /** Integer in minor units of the transaction's currency. 0 if unknown. */
  readonly estimated_cost_minor: number;
  /** Basis points of the amount. 0 if unknown. */
  readonly effective_bps: number;
  readonly pricing_source: PricingSource;
  /** 0..100 */
  readonly confidence_score: number;
  readonly reason_codes: readonly string[];
}

/** One merchant's cached pricing, as a decision sees it. It is immutable and does no I/O. */
export interface PricingView {
  /** Names the prices in a decision's record. Null if the merchant has no prices. */
  readonly version: string | null;
  /** True if the merchant has real pricing (uploaded contract or observed fees). This selects deterministic-v2. */
  readonly resolved: boolean;
  quote(provider: ProviderId, transaction: Transaction): Quote;
}

/** The quote if there is no pricing view, or if the view knows no price. */
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
