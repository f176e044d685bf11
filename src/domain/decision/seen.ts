import type { RecoveryRow } from "../retries/recovery.js";
import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import type { DecisionMode } from "../vocabulary/vocabulary.js";
import type { DecisionContext } from "./decision.js";
import type { ProviderEvaluation } from "./evaluation.js";
import type { KnownAttempts, SchemeRetry } from "./scheme-retry.js";
import { LIST_PRICES_NAME } from "../pricing/list-prices.js";
import { LIST_PRICE_VIEW } from "../pricing/merchant-pricing.js";
import { type PricingView, type Quote, UNKNOWN_QUOTE } from "../pricing/pricing-view.js";

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

/**
 * The inputs of a decision besides its request, as its document stores them. Together with the policy that the response
 * names, they suffice to make the decision again. Decisions share health records, so the document has only a hash of
 * the record.
 */
export interface Seen {
  /** 0..100 */
  risk_block_threshold: number;
  /** Minor units. */
  normal_amount_max_minor: number | null;
  default_decision_mode: DecisionMode;
  pricing: RecordedPricing;
  /** Content hash of the health group (domain/health/recorded-group.ts), base64url. */
  health: string;
  /** RTRY-13: absent if the attempts were not looked up. */
  retry?: SeenRetry;
}

/** The inputs of the schemes' rules. */
export interface SeenRetry {
  counted_by: "order";
  rules_version: number;
  /** Unix milliseconds of the earlier attempts, the oldest first. */
  attempts: readonly number[];
  /** The matched `retry_within_scheme_rules`. Null if no rule of that type matched. */
  matched: { max_attempts_24h: number | null; min_expected_gain_minor: number | null } | null;
  /** RTRY-19: absent if no gain was asked for. */
  gain?: SeenGain;
}

/** The expected gain of a retry, and the figures it was computed from. */
export interface SeenGain {
  provider: ProviderId;
  /** 0..1 */
  probability: number;
  /** Minor units. */
  expected_minor: number;
  /** The results of the workspace's retries after the same failure code. */
  recoveries: readonly RecoveryRow[];
}

/** What a decision looked up about retries. `schemeRetry` is the judgement that the decision used. */
export function seenRetry(
  { timesMs, rulesVersion, recoveries }: KnownAttempts,
  schemeRetry: SchemeRetry | null,
  code: string,
): SeenRetry {
  const seen: SeenRetry = {
    counted_by: "order",
    rules_version: rulesVersion,
    attempts: timesMs,
    matched: schemeRetry && {
      max_attempts_24h: schemeRetry.rule.maxAttempts24h,
      min_expected_gain_minor: schemeRetry.rule.minExpectedGainMinor,
    },
  };
  const gain = schemeRetry?.gain ?? null;
  if (gain !== null) {
    const { provider, probability, expectedMinor } = gain;
    const ofCode = recoveries.filter(([rowCode]) => rowCode === code);
    seen.gain = { provider, probability, expected_minor: expectedMinor, recoveries: ofCode };
  }
  return seen;
}

/** The recorded attempts, from which a replay decides again. */
export function attemptsOf({ retry }: Seen): KnownAttempts | undefined {
  return (
    retry && {
      timesMs: retry.attempts,
      rulesVersion: retry.rules_version,
      recoveries: retry.gain?.recoveries ?? [],
    }
  );
}

/** The inputs that `context` gave a decision on `transaction`. `providers` lists all providers of the deployment. */
export function seenBy(
  context: DecisionContext,
  transaction: Transaction,
  evaluations: readonly ProviderEvaluation[],
  providers: readonly ProviderId[],
  health: string,
  retry: SeenRetry | null = null,
): Seen {
  const seen: Seen = {
    risk_block_threshold: context.riskBlockThreshold,
    normal_amount_max_minor: context.normalAmountMaxMinor,
    default_decision_mode: context.defaultDecisionMode,
    pricing: recordPricing(context.pricing, providers, transaction, evaluations),
    health,
  };
  if (retry !== null) seen.retry = retry;
  return seen;
}
