import type { CostTotals } from "./queries/cost.js";
import type { AnalyticsSummary } from "./wire/summary-response-schema.js";

/**
 * The costs of payments by the quotes behind their decisions, in minor units of `currency`. Payments that failed
 * afterwards are included. Shadow decisions are listed apart: their figures say what following them would have meant.
 * `decisions` counts those whose primary provider has real pricing. Only `first_offered_decisions` are compared with
 * the first offered provider.
 */
export type CostReport = NonNullable<AnalyticsSummary["cost"]>;

/** Sums are exact up to 2^53. Beyond it, JSON readers get the nearest number they can hold. */
export function costReport(since: string | null, totals: readonly CostTotals[]): CostReport {
  return {
    since,
    by_currency: totals.map((row) => ({
      currency: row.currency,
      decision_mode: row.decisionMode,
      decisions: row.decisions,
      estimated_cost_minor: row.costMinor,
      saving_vs_most_expensive_minor: row.savedDearestMinor,
      first_offered_decisions: row.firstDecisions,
      saving_vs_first_offered_minor: row.savedFirstMinor,
    })),
  };
}
