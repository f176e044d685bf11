import { FAILURE_CLASSES, type FailureClass } from "../../domain/outcomes/classification.js";
import type { RetryTotals } from "./queries/retry.js";
import { rate } from "../../domain/statistics/figures.js";

interface Recovery {
  with_outcome: number;
  /** Approved. */
  recovered: number;
  /** recovered/with_outcome; null over 0. */
  recovery_rate: number | null;
}

/** What became of the decisions, enforce and shadow, that were asked for after one kind of failure of a provider. */
interface FailureRecovery extends Recovery {
  /** `previous_attempt.provider` */
  provider: string;
  /** Of the previous attempt, by OUT-4 as if it had been reported as an outcome. */
  failure_class: FailureClass;
  decisions: number;
  /** Executed on the provider that had failed, and on another one: together the figures above. */
  same_provider: Recovery;
  other_provider: Recovery;
}

/** ANA-3: which failures are worth another attempt, and where. */
export interface RetryReport {
  /** ISO 8601: from which decisions on retries are counted; null: all of history. */
  since: string | null;
  by_failure: FailureRecovery[];
}

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
