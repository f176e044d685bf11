import type { ProviderId, Transaction } from "../shared/decision-request.js";
import { type PricingView, type Quote, UNKNOWN_QUOTE } from "./pricing-view.js";

/**
 * What a merchant's pricing said of one transaction. Quotes depend on the amount, so that no two decisions share them;
 * merchants without pricing have none.
 */
export interface RecordedQuotes {
  resolved: boolean;
  /** Of every configured provider: another policy may ask for one that was not offered. */
  quotes: Record<ProviderId, Quote>;
}

export function recordQuotes(
  pricing: PricingView,
  providers: readonly ProviderId[],
  transaction: Transaction,
): RecordedQuotes {
  const quotes = providers.map((provider) => [provider, pricing.quote(provider, transaction)] as const);
  return { resolved: pricing.resolved, quotes: Object.fromEntries(quotes) };
}

/** The recorded quotes as the view they came from, for that one transaction. */
export function rebuildPricing({ resolved, quotes }: RecordedQuotes): PricingView {
  return { resolved, quote: (provider) => quotes[provider] ?? UNKNOWN_QUOTE };
}
