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

/** A price from an amount on. */
interface Tier {
  readonly from: number;
  readonly units: number;
  readonly fixedMinor: number;
}

/**
 * A rule's prices, ready to be asked. Of thousands of schedules the one that is asked for is seldom in the processor's
 * cache, and each object on the way to a number is another miss: the prices are the schedule's own fields, those of the
 * highest tier too, for few rules have a second one. A class, so that V8 gives all of them one hidden class: spread from
 * literals they had several, and each property was looked up.
 */
export class FeeSchedule {
  private readonly units: number;
  private readonly fixedMinor: number;
  private readonly minFeeMinor: number;
  private readonly maxFeeMinor: number | null;
  /** From which amount on the highest tier applies; null where there is none. */
  private readonly topFrom: number | null;
  private readonly topUnits: number;
  private readonly topFixedMinor: number;
  /** The tiers below the highest, the highest amount first; null where there is none. */
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
   * COST-5: round-half-up(amount·percentage_bps/10⁴ + fixed_minor) within minimum and maximum.
   * `amount` is an integer from 1 to 2^53−1; so is the fee at most.
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

/** Before its limits. */
function fee(amount: number, units: number, fixedMinor: number): number {
  const millions = Math.floor(amount / WHOLE_UNITS);
  const rest = (amount - millions * WHOLE_UNITS) * units;
  const restMinor = Math.floor(rest / WHOLE_UNITS);
  const halfUp = rest - restMinor * WHOLE_UNITS >= WHOLE_UNITS / 2 ? 1 : 0;
  return millions * units + restMinor + halfUp + fixedMinor;
}

/** COST-6: cost/amount·10⁴. The product first: whole basis points then come out whole. */
export function effectiveBps(costMinor: number, amount: number): number {
  return (costMinor * 10_000) / amount;
}
