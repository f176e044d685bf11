import type { PricingRule, PricingTier } from "./pricing-contract.js";

/**
 * Fees in exact integer arithmetic. A percentage is kept in hundredths of a basis point, so that a fee is
 * amount·units/10⁶; the amount is cut at 10⁶, and each part's product stays within 2^53:
 * floor(amount/10⁶)·units ≤ amount, as units ≤ 10⁶, and (amount mod 10⁶)·units < 10¹².
 */
const UNITS_PER_BPS = 100;
const WHOLE_UNITS = 1_000_000;

function unitsOf(bps: number): number {
  // Exact: at most two decimals were let in, and rounding takes off what binary fractions add.
  return Math.round(bps * UNITS_PER_BPS);
}

/** True for a percentage that hundredths of a basis point hold exactly. */
export function isExactBps(bps: number): boolean {
  return Math.round(bps * UNITS_PER_BPS) / UNITS_PER_BPS === bps;
}

/** What a rule charges, whoever and whatever for. */
export type FeeTerms = Omit<PricingRule, "provider" | "payment_method" | "currency">;

/**
 * A rule's prices, ready to be asked. Flat: of thousands of schedules the one that is asked for is seldom in the
 * processor's cache, and each object on the way to a number is another miss. A class, so that V8 gives all of them one
 * hidden class: spread from literals they had several, at 50 ns for each of their properties.
 */
export class FeeSchedule {
  private readonly units: number;
  private readonly fixedMinor: number;
  private readonly minFeeMinor: number;
  private readonly maxFeeMinor: number | null;
  /** Three numbers each: amount from which it applies, units, fixed part; the highest amount first. */
  private readonly tiers: readonly number[];

  constructor(terms: FeeTerms) {
    this.units = unitsOf(terms.percentage_bps);
    this.fixedMinor = terms.fixed_minor;
    this.minFeeMinor = terms.min_fee_minor ?? 0;
    this.maxFeeMinor = terms.max_fee_minor ?? null;
    this.tiers = terms.tiers === undefined ? NO_TIERS : flatten(terms.tiers);
  }

  /**
   * contract §4 "Model v2": round-half-up(amount·percentage_bps/10⁴ + fixed_minor) within minimum and maximum.
   * `amount` is an integer from 1 to 2^53−1; so is the fee at most.
   */
  feeMinor(amount: number): number {
    const { tiers } = this;
    let { units, fixedMinor } = this;
    for (let at = 0; at < tiers.length; at += 3) {
      if (amount < (tiers[at] as number)) continue;
      units = tiers[at + 1] as number;
      fixedMinor = tiers[at + 2] as number;
      break;
    }
    const millions = Math.floor(amount / WHOLE_UNITS);
    const rest = (amount - millions * WHOLE_UNITS) * units;
    const restMinor = Math.floor(rest / WHOLE_UNITS);
    const halfUp = rest - restMinor * WHOLE_UNITS >= WHOLE_UNITS / 2 ? 1 : 0;
    const fee = millions * units + restMinor + halfUp + fixedMinor;
    return Math.min(this.maxFeeMinor ?? Number.MAX_SAFE_INTEGER, Math.max(this.minFeeMinor, fee));
  }
}

const NO_TIERS: readonly number[] = [];

function flatten(tiers: readonly PricingTier[]): number[] {
  return tiers
    .toSorted((a, b) => b.amount_gte - a.amount_gte)
    .flatMap((tier) => [tier.amount_gte, unitsOf(tier.percentage_bps), tier.fixed_minor]);
}

/** contract §4 "Model v2": cost/amount·10⁴. The product first: whole basis points then come out whole. */
export function effectiveBps(costMinor: number, amount: number): number {
  return (costMinor * 10_000) / amount;
}
