import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import { LIST_PRICES_NAME } from "./list-prices.js";
import { LIST_PRICE_VIEW } from "./merchant-pricing.js";
import { type PricingView, type Quote, UNKNOWN_QUOTE } from "./pricing-view.js";

/**
 * The quotes of one transaction from a merchant's pricing. Quotes depend on the amount, so no two decisions share them.
 * For a merchant without prices of its own, a decision records LIST_PRICES_NAME.
 */
export interface RecordedQuotes {
  /** The version of the prices, as in PricingView. */
  version: string | null;
  resolved: boolean;
  /** The quotes of every configured provider, because another policy can ask for a provider that was not offered. */
  quotes: Record<ProviderId, Quote>;
}

/** The pricing of one decision. Null if the decision had no pricing view. */
export type RecordedPricing = RecordedQuotes | typeof LIST_PRICES_NAME | null;

/** A provider of a decision, with its quote for the transaction if there is one. */
interface QuotedProvider {
  readonly provider: ProviderId;
  readonly quote: Quote | null;
}

/**
 * Records all providers' quotes. It takes quotes from `quoted`, which `pricing` has already computed, and asks for the
 * rest.
 */
export function recordPricing(
  pricing: PricingView | null,
  providers: readonly ProviderId[],
  transaction: Transaction,
  quoted: readonly QuotedProvider[] = [],
): RecordedPricing {
  if (pricing === null) return null;
  if (pricing === LIST_PRICE_VIEW) return LIST_PRICES_NAME;
  const quoteOf = (provider: ProviderId): Quote =>
    quoted.find((quotedProvider) => quotedProvider.provider === provider)?.quote ??
    pricing.quote(provider, transaction);
  const quotes = providers.map((provider) => [provider, plain(quoteOf(provider))] as const);
  return { version: pricing.version, resolved: pricing.resolved, quotes: Object.fromEntries(quotes) };
}

/** Copies a quote's figures, because JSON.stringify leaves out getters of a class. */
function plain(quote: Quote): Quote {
  const { estimated_cost_minor, effective_bps, pricing_source, confidence_score, reason_codes } = quote;
  return { estimated_cost_minor, effective_bps, pricing_source, confidence_score, reason_codes };
}

/** False if the quotes are list prices of another version of this service. */
export function isKnownPricing(recorded: RecordedPricing): boolean {
  return typeof recorded !== "string" || recorded === LIST_PRICES_NAME;
}

/** Makes a view that returns the recorded quotes. Use it for the recorded transaction only. */
export function rebuildPricing(recorded: RecordedPricing): PricingView | null {
  if (recorded === null) return null;
  if (recorded === LIST_PRICES_NAME) return LIST_PRICE_VIEW;
  const { version, resolved, quotes } = recorded;
  return { version, resolved, quote: (provider) => quotes[provider] ?? UNKNOWN_QUOTE };
}
