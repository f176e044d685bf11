import { isRealPricing, type Quote } from "./pricing-view.js";

/** The cost of a decision's primary provider, compared with the other offered providers. Integers in minor units. */
export interface CostComparison {
  readonly costMinor: number;
  /** The cost of the dearest offered provider with real pricing, the primary included. */
  readonly dearestMinor: number;
  /** The cost of the first offered provider. Null if it has no real pricing. */
  readonly firstMinor: number | null;
}

/**
 * The figures that GET /v1/analytics/summary adds up. `offered` holds the quote of every offered provider, eligible or
 * not, in the offered order. It includes all of them because the comparison is with a merchant who never chooses. Null
 * if the primary has no real pricing (COST-3: an estimate is not real). So it is null for every deterministic-v1
 * decision and every block.
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
