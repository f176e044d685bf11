import type { CostTotals } from "./queries/cost.js";
import type { DecisionMode } from "../../domain/vocabulary/vocabulary.js";

/**
 * What payments cost by the quotes their decisions were made from, in minor units of `currency`, whether or not they went
 * through afterwards. Shadow decisions are apart: their figures are what following them would have meant.
 */
interface CurrencyCost {
  currency: string;
  decision_mode: DecisionMode;
  /** Decisions whose primary provider has real pricing (`merchant_contract`, `provider_webhook_observed`); no others count. */
  decisions: number;
  estimated_cost_minor: number;
  /** What always using the dearest offered provider with real pricing would have cost more. */
  saving_vs_most_expensive_minor: number;
  /** Those of `decisions` whose first offered provider has real pricing: only they are compared with it. */
  first_offered_decisions: number;
  /** What always using the first offered provider would have cost more; negative where it would have cost less. */
  saving_vs_first_offered_minor: number;
}

export interface CostReport {
  /** ISO 8601: from which decisions on costs are counted; null: all of history. */
  since: string | null;
  by_currency: CurrencyCost[];
}

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
