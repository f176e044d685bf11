import type { Outcome, RiskBand } from "../../domain/vocabulary/vocabulary.js";

/**
 * LOG-22 to LOG-24: filters that no rollup counts. They go through the rows that the other filters leave, as many as one
 * answer may look at. Null does not filter.
 */
export interface DecisionSieve {
  /** Minor units, included. */
  amountMin: number | null;
  /** Minor units, included. */
  amountMax: number | null;
  riskBand: RiskBand | null;
  /** The stored one. */
  outcome: Outcome | null;
  reasonCode: string | null;
  /** The beginning of an order's id. */
  orderStart: string | null;
}

export const NO_SIEVE: DecisionSieve = {
  amountMin: null,
  amountMax: null,
  riskBand: null,
  outcome: null,
  reasonCode: null,
  orderStart: null,
};

export function isSieving(sieve: DecisionSieve): boolean {
  return Object.values(sieve).some((value) => value !== null);
}
