import { isRealPricing, type Quote } from "./pricing-view.js";

/** What the primary provider of a decision costs beside others that were offered; integers, minor units. */
export interface CostComparison {
  readonly costMinor: number;
  /** The dearest offered provider with real pricing; the primary itself where no other is dearer. */
  readonly dearestMinor: number;
  /** The first offered provider; null where it has no real pricing. */
  readonly firstMinor: number | null;
}

/**
 * What GET /v1/analytics/summary adds up. `offered` holds the quote of every offered provider, eligible or not, in the
 * order offered: the comparison is with a merchant who never chooses. Null where the primary has no real pricing
 * (COST-3: estimates are none), so on every deterministic-v1 decision and every block.
 */
export function compareCosts(
  primary: Quote | null,
  offered: readonly (Quote | null)[],
): CostComparison | null {
  if (primary === null || !isRealPricing(primary)) return null;
  let dearestMinor = primary.estimated_cost_minor;
  for (const quote of offered) {
    if (quote !== null && isRealPricing(quote)) {
      dearestMinor = Math.max(dearestMinor, quote.estimated_cost_minor);
    }
  }
  const first = offered[0] ?? null;
  return {
    costMinor: primary.estimated_cost_minor,
    dearestMinor,
    firstMinor: first !== null && isRealPricing(first) ? first.estimated_cost_minor : null,
  };
}
