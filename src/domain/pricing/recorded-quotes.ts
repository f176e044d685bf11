import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import { LIST_PRICES_NAME } from "./list-prices.js";
import { LIST_PRICE_VIEW } from "./merchant-pricing.js";
import { type PricingView, type Quote, UNKNOWN_QUOTE } from "./pricing-view.js";

/**
 * What a merchant's pricing said of one transaction. Quotes depend on the amount, so that no two decisions share them;
 * merchants without prices of their own have none.
 */
export interface RecordedQuotes {
  /** What they were made from, as in PricingView. */
  version: string | null;
  resolved: boolean;
  /** Of every configured provider: another policy may ask for one that was not offered. */
  quotes: Record<ProviderId, Quote>;
}

/** The pricing of one decision; null where there was none at all. */
export type RecordedPricing = RecordedQuotes | typeof LIST_PRICES_NAME | null;

/** A provider of a decision with its quote for the transaction, where there is one. */
interface QuotedProvider {
  readonly provider: ProviderId;
  readonly quote: Quote | null;
}

/** `quoted`: what has been asked of the same pricing already. */
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

/** A quote may work its figures out when asked, which JSON does not do. */
function plain(quote: Quote): Quote {
  const { estimated_cost_minor, effective_bps, pricing_source, confidence_score, reason_codes } = quote;
  return { estimated_cost_minor, effective_bps, pricing_source, confidence_score, reason_codes };
}

/** False for a list of prices that another version of this service had. */
export function isKnownPricing(recorded: RecordedPricing): boolean {
  return typeof recorded !== "string" || recorded === LIST_PRICES_NAME;
}

/** The recorded pricing as the view it came from, for that one transaction. */
export function rebuildPricing(recorded: RecordedPricing): PricingView | null {
  if (recorded === null) return null;
  if (recorded === LIST_PRICES_NAME) return LIST_PRICE_VIEW;
  const { version, resolved, quotes } = recorded;
  return { version, resolved, quote: (provider) => quotes[provider] ?? UNKNOWN_QUOTE };
}
