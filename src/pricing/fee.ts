import type { PricingRule } from "./pricing-contract.js";

/**
 * Fees in exact integer arithmetic. A percentage is kept in hundredths of a basis point, so that a fee is
 * amount·units/10⁶; the amount is cut at 10⁶, and each part's product stays within 2^53:
 * floor(amount/10⁶)·units ≤ amount, as units ≤ 10⁶, and (amount mod 10⁶)·units < 10¹².
 */
const UNITS_PER_BPS = 100;
const WHOLE_UNITS = 1_000_000;

/**
 * A rule's prices, ready to be asked. Flat: of thousands of schedules the one that is asked for is seldom in the
 * processor's cache, and each object on the way to a number is another miss.
 */
export interface FeeSchedule {
  readonly units: number;
  readonly fixedMinor: number;
  readonly minFeeMinor: number;
  readonly maxFeeMinor: number | null;
  /** Three numbers each: amount from which it applies, units, fixed part; the highest amount first. */
  readonly tiers: readonly number[] | null;
}

function unitsOf(bps: number): number {
  // Exact: at most two decimals were let in, and rounding takes off what binary fractions add.
  return Math.round(bps * UNITS_PER_BPS);
}

/** True for a percentage that hundredths of a basis point hold exactly. */
export function isExactBps(bps: number): boolean {
  return Math.round(bps * UNITS_PER_BPS) / UNITS_PER_BPS === bps;
}

export function feeScheduleOf(
  rule: Omit<PricingRule, "provider" | "payment_method" | "currency">,
): FeeSchedule {
  const { tiers = [] } = rule;
  return {
    units: unitsOf(rule.percentage_bps),
    fixedMinor: rule.fixed_minor,
    minFeeMinor: rule.min_fee_minor ?? 0,
    maxFeeMinor: rule.max_fee_minor ?? null,
    tiers:
      tiers.length === 0
        ? null
        : tiers
            .toSorted((a, b) => b.amount_gte - a.amount_gte)
            .flatMap((tier) => [tier.amount_gte, unitsOf(tier.percentage_bps), tier.fixed_minor]),
  };
}

/**
 * contract §4 "Model v2": round-half-up(amount·percentage_bps/10⁴ + fixed_minor) within minimum and maximum.
 * `amount` is an integer from 1 to 2^53−1; so is the fee at most.
 */
export function feeMinor(schedule: FeeSchedule, amount: number): number {
  const { tiers, minFeeMinor, maxFeeMinor } = schedule;
  let { units, fixedMinor } = schedule;
  if (tiers !== null) {
    for (let at = 0; at < tiers.length; at += 3) {
      if (amount < (tiers[at] as number)) continue;
      units = tiers[at + 1] as number;
      fixedMinor = tiers[at + 2] as number;
      break;
    }
  }
  const millions = Math.floor(amount / WHOLE_UNITS);
  const rest = (amount - millions * WHOLE_UNITS) * units;
  const restMinor = Math.floor(rest / WHOLE_UNITS);
  const halfUp = rest - restMinor * WHOLE_UNITS >= WHOLE_UNITS / 2 ? 1 : 0;
  const fee = millions * units + restMinor + halfUp + fixedMinor;
  return Math.min(maxFeeMinor ?? Number.MAX_SAFE_INTEGER, Math.max(minFeeMinor, fee));
}

/** contract §4 "Model v2": cost/amount·10⁴. The product first: whole basis points then come out whole. */
export function effectiveBps(costMinor: number, amount: number): number {
  return (costMinor * 10_000) / amount;
}
