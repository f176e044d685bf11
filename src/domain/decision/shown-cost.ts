import type { Quote } from "../pricing/pricing-view.js";
import type { Cost } from "./response.js";

/** A price in the form that reads show. COST-19: the cost of an unpriced provider is null, never 0. */
export interface ShownPrice {
  /** Minor units. */
  estimated_cost_minor: number | null;
  /** The cost in basis points of the amount. */
  effective_bps: number | null;
}

/**
 * `cost` in the form that reads show. For an unknown price, reads show null where the decision's own response has 0.
 */
export type ShownCost = Omit<Cost, keyof ShownPrice> & ShownPrice;

export function shownPrice({
  estimated_cost_minor,
  effective_bps,
  pricing_source,
}: Pick<Quote, keyof ShownPrice | "pricing_source">): ShownPrice {
  return pricing_source === "unknown"
    ? { estimated_cost_minor: null, effective_bps: null }
    : { estimated_cost_minor, effective_bps };
}

export function shownCost(cost: Cost | null): ShownCost | null {
  return cost === null ? null : { ...cost, ...shownPrice(cost) };
}
