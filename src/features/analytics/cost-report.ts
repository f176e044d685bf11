import type { CostTotals } from "./queries/cost.js";
import type { AnalyticsSummary } from "./wire.js";

/**
 * What payments cost by the quotes their decisions were made from, in minor units of `currency`, whether or not they went
 * through afterwards. Shadow decisions are apart: their figures are what following them would have meant. `decisions` are
 * those whose primary provider has real pricing; only `first_offered_decisions` are compared with the first offered one.
 */
export type CostReport = AnalyticsSummary["cost"];

/** Exact; a sum past 2^53 is the nearest number JSON readers hold. */
export function costReport(since: string | null, totals: readonly CostTotals[]): CostReport {
  return {
    since,
    by_currency: totals.map((of) => ({
      currency: of.currency,
      decision_mode: of.decisionMode,
      decisions: of.decisions,
      estimated_cost_minor: of.costMinor,
      saving_vs_most_expensive_minor: of.savedDearestMinor,
      first_offered_decisions: of.firstDecisions,
      saving_vs_first_offered_minor: of.savedFirstMinor,
    })),
  };
}
