import { FAILURE_CLASSES } from "../../domain/outcomes/classification.js";
import type { RetryTotals } from "./queries/retry.js";
import { rate } from "../../domain/statistics/figures.js";
import type { AnalyticsSummary } from "./wire/summary-response-schema.js";

/**
 * ANA-3: shows which failures are worth another attempt, and on which provider. The report covers the decisions,
 * enforce and shadow, that were requested after a provider had failed. It groups them by provider and kind of failure.
 * `failure_class` is what OUT-4 would assign if the previous attempt had been reported as an outcome.
 */
export type RetryReport = NonNullable<AnalyticsSummary["retries"]>;
type Recovery = RetryReport["by_failure"][number]["same_provider"];

export function retryReport(since: string | null, totals: readonly RetryTotals[]): RetryReport {
  return {
    since,
    by_failure: totals.map((of) => ({
      provider: of.provider,
      failure_class: FAILURE_CLASSES[of.failedOutcome],
      decisions: of.decisions,
      ...recovery(of.sameOutcomes + of.otherOutcomes, of.sameApproved + of.otherApproved),
      same_provider: recovery(of.sameOutcomes, of.sameApproved),
      other_provider: recovery(of.otherOutcomes, of.otherApproved),
    })),
  };
}

function recovery(withOutcome: number, recovered: number): Recovery {
  return { with_outcome: withOutcome, recovered, recovery_rate: rate(recovered, withOutcome) };
}
