import type { PricingRule, PricingTier } from "./pricing-contract.js";

/**
 * Fees in exact integer arithmetic. A percentage is kept in hundredths of a basis point, so that a fee is
 * amount·units/10⁶; the amount is cut at 10⁶, and each part's product stays within 2^53:
 * floor(amount/10⁶)·units ≤ amount, as units ≤ 10⁶, and (amount mod 10⁶)·units < 10¹².
 */
const UNITS_PER_BPS = 100;
const WHOLE_UNITS = 1_000_000;

/** A percentage and a fixed part, minor units. */
interface Price {
  readonly units: number;
  readonly fixedMinor: number;
}

/** A rule's prices, ready to be asked. */
export interface FeeSchedule {
  readonly base: Price;
  /** Highest `amountGte` first. */
  readonly tiers: readonly (Price & { readonly amountGte: number })[];
  readonly minFeeMinor: number;
  readonly maxFeeMinor: number;
}

function priceOf({ percentage_bps, fixed_minor }: Omit<PricingTier, "amount_gte">): Price {
  // Exact: at most two decimals were let in, and rounding takes off what binary fractions add.
  return { units: Math.round(percentage_bps * UNITS_PER_BPS), fixedMinor: fixed_minor };
}

/** True for a percentage that hundredths of a basis point hold exactly. */
export function isExactBps(bps: number): boolean {
  return Math.round(bps * UNITS_PER_BPS) / UNITS_PER_BPS === bps;
}

export function feeScheduleOf(
  rule: Omit<PricingRule, "provider" | "payment_method" | "currency">,
): FeeSchedule {
  return {
    base: priceOf(rule),
    tiers: (rule.tiers ?? [])
      .map((tier) => ({ ...priceOf(tier), amountGte: tier.amount_gte }))
      .toSorted((a, b) => b.amountGte - a.amountGte),
    minFeeMinor: rule.min_fee_minor ?? 0,
    maxFeeMinor: rule.max_fee_minor ?? Number.MAX_SAFE_INTEGER,
  };
}

/**
 * contract §4 "Model v2": round-half-up(amount·percentage_bps/10⁴ + fixed_minor) within minimum and maximum.
 * `amount` is an integer from 1 to 2^53−1; so is the fee at most.
 */
export function feeMinor({ base, tiers, minFeeMinor, maxFeeMinor }: FeeSchedule, amount: number): number {
  let { units, fixedMinor } = base;
  for (const tier of tiers) {
    if (amount < tier.amountGte) continue;
    units = tier.units;
    fixedMinor = tier.fixedMinor;
    break;
  }
  const millions = Math.floor(amount / WHOLE_UNITS);
  const rest = (amount - millions * WHOLE_UNITS) * units;
  const restMinor = Math.floor(rest / WHOLE_UNITS);
  const halfUp = rest - restMinor * WHOLE_UNITS >= WHOLE_UNITS / 2 ? 1 : 0;
  const fee = millions * units + restMinor + halfUp + fixedMinor;
  return Math.min(maxFeeMinor, Math.max(minFeeMinor, fee));
}

/** contract §4 "Model v2": cost/amount·10⁴. The product first: whole basis points then come out whole. */
export function effectiveBps(costMinor: number, amount: number): number {
  return (costMinor * 10_000) / amount;
}
