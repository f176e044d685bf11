import type { PricingRule, PricingTier } from "./pricing-contract.js";

/**
 * Fees in exact integer arithmetic. A percentage is an integer `units` of hundredths of a basis point, so a fee is
 * amount · units / 10⁶. The amount is split at 10⁶ to keep every product within 2^53: floor(amount / 10⁶) · units ≤
 * amount because units ≤ 10⁶, and (amount mod 10⁶) · units < 10¹².
 */
const UNITS_PER_BPS = 100;
const WHOLE_UNITS = 1_000_000;

function unitsOf(bps: number): number {
  // The result is exact. Validation allows at most two decimals, and rounding removes the error of binary fractions.
  return Math.round(bps * UNITS_PER_BPS);
}

/** True for a percentage that is a whole number of hundredths of a basis point. */
export function isExactBps(bps: number): boolean {
  return Math.round(bps * UNITS_PER_BPS) / UNITS_PER_BPS === bps;
}

/** A rule's prices, without the fields that select payments. */
export type FeeTerms = Omit<PricingRule, "provider" | "payment_method" | "currency">;

/** A price that applies from an amount on. */
interface Tier {
  readonly from: number;
  readonly units: number;
  readonly fixedMinor: number;
}

/**
 * A rule's prices, prepared for fast access. There are thousands of schedules, so the one in use is rarely in the
 * processor's cache, and each further object costs another cache miss. The prices are therefore fields of the
 * schedule itself, including those of the highest tier. Few rules have a second tier. FeeSchedule is a class, so that
 * V8 gives all schedules one hidden class. Object literals with spread had several, which made each property access
 * slower.
 */
export class FeeSchedule {
  private readonly units: number;
  private readonly fixedMinor: number;
  private readonly minFeeMinor: number;
  private readonly maxFeeMinor: number | null;
  /** The amount from which the highest tier applies. Null without tiers. */
  private readonly topFrom: number | null;
  private readonly topUnits: number;
  private readonly topFixedMinor: number;
  /** The tiers below the highest tier, in descending order of amount. Null if there are none. */
  private readonly lowerTiers: readonly Tier[] | null;

  constructor(terms: FeeTerms) {
    this.units = unitsOf(terms.percentage_bps);
    this.fixedMinor = terms.fixed_minor;
    this.minFeeMinor = terms.min_fee_minor ?? 0;
    this.maxFeeMinor = terms.max_fee_minor ?? null;
    const [top, ...lower] = highestFirst(terms.tiers ?? []);
    this.topFrom = top?.from ?? null;
    this.topUnits = top?.units ?? 0;
    this.topFixedMinor = top?.fixedMinor ?? 0;
    this.lowerTiers = lower.length === 0 ? null : lower;
  }

  /**
   * COST-5: amount · percentage_bps / 10⁴ + fixed_minor, rounded half up, then limited to the minimum and maximum.
   * `amount` is an integer from 1 to 2^53−1. The fee is at most 2^53−1.
   */
  feeMinor(amount: number): number {
    if (this.topFrom === null) return this.limit(fee(amount, this.units, this.fixedMinor));
    if (amount >= this.topFrom) return this.limit(fee(amount, this.topUnits, this.topFixedMinor));
    const lower = this.lowerTiers?.find(({ from }) => amount >= from);
    return this.limit(
      lower === undefined
        ? fee(amount, this.units, this.fixedMinor)
        : fee(amount, lower.units, lower.fixedMinor),
    );
  }

  private limit(feeMinor: number): number {
    return Math.min(this.maxFeeMinor ?? Number.MAX_SAFE_INTEGER, Math.max(this.minFeeMinor, feeMinor));
  }
}

function highestFirst(tiers: readonly PricingTier[]): Tier[] {
  return tiers
    .toSorted((a, b) => b.amount_gte - a.amount_gte)
    .map(({ amount_gte, percentage_bps, fixed_minor }) => ({
      from: amount_gte,
      units: unitsOf(percentage_bps),
      fixedMinor: fixed_minor,
    }));
}

/** The fee before its minimum and maximum apply. */
function fee(amount: number, units: number, fixedMinor: number): number {
  const millions = Math.floor(amount / WHOLE_UNITS);
  const rest = (amount - millions * WHOLE_UNITS) * units;
  const restMinor = Math.floor(rest / WHOLE_UNITS);
  const halfUp = rest - restMinor * WHOLE_UNITS >= WHOLE_UNITS / 2 ? 1 : 0;
  return millions * units + restMinor + halfUp + fixedMinor;
}

/** COST-6: cost / amount · 10⁴. It multiplies first, so that whole basis points have no rounding error. */
export function effectiveBps(costMinor: number, amount: number): number {
  return (costMinor * 10_000) / amount;
}
