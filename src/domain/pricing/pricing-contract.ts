import type { ProviderId } from "../vocabulary/decision-request.js";
import type { CardNetwork, PaymentMethod } from "../vocabulary/vocabulary.js";

/** The price for amounts of at least `amount_gte`. It applies to the whole amount. */
export interface PricingTier {
  /** Minor units, at least 1. */
  readonly amount_gte: number;
  /** 0..10 000, at most two decimals. */
  readonly percentage_bps: number;
  /** Minor units. */
  readonly fixed_minor: number;
}

/** PRICE-2: one price of a contract. Amounts are in minor units of `currency`. */
export interface PricingRule {
  readonly provider: ProviderId;
  readonly payment_method: PaymentMethod;
  readonly card_network?: CardNetwork;
  readonly country?: string;
  readonly currency: string;
  readonly percentage_bps: number;
  readonly fixed_minor: number;
  readonly min_fee_minor?: number;
  readonly max_fee_minor?: number;
  readonly tiers?: readonly PricingTier[];
}

/** An uploaded contract. It never changes afterwards. */
export interface PricingContract {
  /** `prc_…` */
  readonly contract_id: string;
  /** 1, 2, … for each merchant, in the order of upload. */
  readonly version: number;
  /**
   * Unix milliseconds. The contract is in effect from `from_ms` until just before `to_ms`, or without an end if `to_ms`
   * is null.
   */
  readonly from_ms: number;
  readonly to_ms: number | null;
  /** True if this contract ends all earlier uploads at `from_ms`. */
  readonly replace: boolean;
  readonly rules: readonly PricingRule[];
}

/** The fields that select a rule or an observed price. */
export type PricedSegment = Pick<
  PricingRule,
  "provider" | "payment_method" | "card_network" | "country" | "currency"
>;
