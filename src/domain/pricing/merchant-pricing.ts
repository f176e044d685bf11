import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import { contractsInEffect, periodAround } from "./contracts-in-effect.js";
import { effectiveBps, FeeSchedule, type FeeTerms } from "./fee.js";
import { LIST_PRICE_CONFIDENCE, LIST_PRICES_BPS } from "./list-prices.js";
import {
  isEstimate,
  isRealObservation,
  observationConfidence,
  type ObservedPrice,
} from "./observed-price.js";
import type { PricingContract } from "./pricing-contract.js";
import { type PricingSource, type PricingView, type Quote, UNKNOWN_QUOTE } from "./pricing-view.js";
import { SegmentTable } from "./segment-table.js";

/** All prices of a merchant. The object is immutable, and its version identifies it. */
export interface MerchantPrices {
  /** The newest contract's version (0 without contracts) and the version of the observed prices, such as `3.12`. */
  readonly version: string;
  /** The contracts in effect, and those that begin later. */
  readonly contracts: readonly PricingContract[];
  readonly observed: readonly ObservedPrice[];
}

/** The two numbers of `MerchantPrices.version`. */
export interface PriceVersion {
  contractVersion: number;
  observedVersion: number;
}

/** A merchant's prices over time. */
export interface MerchantPricing {
  /**
   * The prices at `nowMs`, in Unix milliseconds. They are compiled again only when a contract has begun or ended since
   * the last call.
   */
  viewAt(nowMs: number): PricingView;
}

type Quoted = Pick<Quote, "pricing_source" | "reason_codes">;
const BY_CONTRACT: Quoted = {
  pricing_source: "merchant_contract",
  reason_codes: ["MERCHANT_CONTRACT_PRICING_USED"],
};
const BY_OBSERVATION: Quoted = {
  pricing_source: "provider_webhook_observed",
  reason_codes: ["OBSERVED_PRICING_USED"],
};
const BY_ESTIMATE: Quoted = {
  pricing_source: "estimated_fallback",
  reason_codes: ["ESTIMATED_FALLBACK_PRICING_USED"],
};
const CONTRACT_CONFIDENCE = 100;

/** A quote that computes `effective_bps` on demand, because usually it is read for the primary provider only. */
class FeeQuote implements Quote {
  readonly pricing_source: PricingSource;
  readonly reason_codes: readonly string[];

  constructor(
    readonly estimated_cost_minor: number,
    private readonly amount: number,
    readonly confidence_score: number,
    by: Quoted,
  ) {
    this.pricing_source = by.pricing_source;
    this.reason_codes = by.reason_codes;
  }

  get effective_bps(): number {
    return effectiveBps(this.estimated_cost_minor, this.amount);
  }
}

/** A schedule with the confidence of its quotes. */
class PricedEntry extends FeeSchedule {
  constructor(
    terms: FeeTerms,
    private readonly confidence: number,
  ) {
    super(terms);
  }

  quote(amount: number, by: Quoted): Quote {
    return new FeeQuote(this.feeMinor(amount), amount, this.confidence, by);
  }
}

const LIST_ENTRIES = new Map<string, PricedEntry>(
  Object.entries(LIST_PRICES_BPS).flatMap(([method, bps]) =>
    bps === null
      ? []
      : [[method, new PricedEntry({ percentage_bps: bps, fixed_minor: 0 }, LIST_PRICE_CONFIDENCE)] as const],
  ),
);

function observedEntry(price: ObservedPrice): PricedEntry {
  return new PricedEntry(price, observationConfidence(price));
}

/** Compiles the view for a period in which the contracts in effect do not change. */
function compileView(
  version: string | null,
  contracts: readonly PricingContract[],
  observed: readonly ObservedPrice[],
): PricingView {
  const contracted = new SegmentTable<PricedEntry>();
  for (const { rules } of contracts) {
    for (const rule of rules) {
      contracted.set(rule, new PricedEntry(rule, CONTRACT_CONFIDENCE));
    }
  }
  const real = new SegmentTable<PricedEntry>();
  const estimates = new SegmentTable<PricedEntry>();
  for (const price of observed) {
    if (isRealObservation(price)) real.set(price, observedEntry(price));
    if (isEstimate(price)) estimates.set(price, observedEntry(price));
  }
  return {
    version,
    resolved: !contracted.isEmpty || !real.isEmpty,
    // COST-3: the first source that has a price wins.
    quote(provider: ProviderId, transaction: Transaction): Quote {
      const { amount } = transaction;
      const contract = contracted.find(provider, transaction);
      if (contract !== null) return contract.quote(amount, BY_CONTRACT);
      const observation = real.find(provider, transaction);
      if (observation !== null) return observation.quote(amount, BY_OBSERVATION);
      const estimate = estimates.find(provider, transaction) ?? LIST_ENTRIES.get(transaction.payment_method);
      return estimate === undefined ? UNKNOWN_QUOTE : estimate.quote(amount, BY_ESTIMATE);
    },
  };
}

/**
 * The view for a merchant without known prices. It only estimates, so the merchant's decisions use deterministic-v1.
 */
export const LIST_PRICE_VIEW: PricingView = compileView(null, [], []);

export function createMerchantPricing({ version, contracts, observed }: MerchantPrices): MerchantPricing {
  let fromMs = Number.POSITIVE_INFINITY;
  let untilMs = Number.NEGATIVE_INFINITY;
  let view = LIST_PRICE_VIEW;
  return {
    viewAt(nowMs) {
      if (nowMs < fromMs || nowMs >= untilMs) {
        ({ fromMs, untilMs } = periodAround(contracts, nowMs));
        view = compileView(version, contractsInEffect(contracts, nowMs), observed);
      }
      return view;
    },
  };
}
