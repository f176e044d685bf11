import type { CostTotals } from "./queries/cost.js";
import type { AnalyticsSummary } from "./wire/summary-response-schema.js";

/**
 * The costs of payments in minor units of `currency`, by the quotes of their decisions. Payments that failed
 * afterwards are included. Shadow decisions are listed separately: their figures show the effect of following them.
 * `decisions` counts decisions whose primary provider has real pricing. Only `first_offered_decisions` are compared
 * with the first offered provider.
 */
export type CostReport = NonNullable<AnalyticsSummary["cost"]>;

/** Sums are exact up to 2^53. A JSON reader rounds a larger sum. */
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
