import type { CostTotals } from "./queries/cost.js";
import type { AnalyticsSummary } from "./wire/summary-response-schema.js";

/**
 * The costs of payments, computed from the quotes of their decisions, in minor units of `currency`. Payments that
 * failed afterwards are included. Shadow decisions are listed separately: their figures show what following them would
 * have cost. `decisions` counts the decisions whose primary provider has real pricing. Only `first_offered_decisions`
 * of them are compared with the first offered provider.
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
