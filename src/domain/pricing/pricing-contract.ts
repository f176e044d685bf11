import type { ProviderId } from "../vocabulary/decision-request.js";
import type { CardNetwork, PaymentMethod } from "../vocabulary/vocabulary.js";

/** Another price from an amount on; it applies to the whole amount. */
export interface PricingTier {
  /** Minor units, at least 1. */
  readonly amount_gte: number;
  /** 0..10 000, at most two decimals. */
  readonly percentage_bps: number;
  /** Minor units. */
  readonly fixed_minor: number;
}

/** PRICE-2: one price of a contract; amounts in minor units of `currency`. */
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

/** One uploaded contract; never changed afterwards. */
export interface PricingContract {
  /** `prc_…` */
  readonly contract_id: string;
  /** 1, 2, … per merchant, in the order of upload. */
  readonly version: number;
  /** Unix milliseconds; in effect from `from_ms` up to, not including, `to_ms`. null: without an end. */
  readonly from_ms: number;
  readonly to_ms: number | null;
  /** From `from_ms` on, every contract uploaded before is at an end. */
  readonly replace: boolean;
  readonly rules: readonly PricingRule[];
}

/** Who a price is for: the fields a rule or an observed price is found by. */
export type PricedSegment = Pick<
  PricingRule,
  "provider" | "payment_method" | "card_network" | "country" | "currency"
>;
