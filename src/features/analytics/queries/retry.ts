import { OUTCOMES, type Outcome } from "../../../domain/vocabulary/vocabulary.js";
import { countedRows, countedValues, HEAD, type CountedRange } from "./counted-range.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** The outcomes of decisions that followed one kind of failure of a provider. */
export interface RetryTotals {
  /** The provider that had failed. */
  provider: string;
  /** The way it had failed. */
  failedOutcome: Outcome;
  decisions: number;
  /** Outcomes of decisions that were executed on the provider that had failed. */
  sameOutcomes: number;
  sameApproved: number;
  /** Outcomes of decisions that were executed on another provider. */
  otherOutcomes: number;
  otherApproved: number;
}

const COLUMNS = "provider, outcome, decisions, same_outcomes, same_approved, other_outcomes, other_approved";

/** The condition is null when no outcome is counted yet. */
const counted = (condition: string): string => `coalesce(${condition}, false)::integer`;

/** Ordered by provider, then by the order of OUTCOMES. */
export async function loadRetries(client: TenantConnection, range: CountedRange): Promise<RetryTotals[]> {
  const { rows } = await client.query<{
    provider: string;
    outcome: number;
    decisions: string;
    same_outcomes: string;
    same_approved: string;
    other_outcomes: string;
    other_approved: string;
  }>({
    name: "load_retries",
    text: `select provider, outcome, sum(decisions) as decisions, sum(same_outcomes) as same_outcomes,
             sum(same_approved) as same_approved, sum(other_outcomes) as other_outcomes,
             sum(other_approved) as other_approved
           from (
             ${countedRows(COLUMNS, "rollup_retries", "rollup_retry_deltas")}
             union all
             select failed_provider, failed_outcome, 1,
               ${counted("counted_provider = failed_provider")},
               ${counted("counted_provider = failed_provider and counted_outcome = 0")},
               ${counted("counted_provider <> failed_provider")},
               ${counted("counted_provider <> failed_provider and counted_outcome = 0")}
             from retried_decisions where ${HEAD}
           ) parts group by provider, outcome order by provider, outcome`,
    values: countedValues(range),
  });
  return rows.map((row) => ({
    provider: row.provider,
    failedOutcome: OUTCOMES[row.outcome] as Outcome,
    decisions: Number(row.decisions),
    sameOutcomes: Number(row.same_outcomes),
    sameApproved: Number(row.same_approved),
    otherOutcomes: Number(row.other_outcomes),
    otherApproved: Number(row.other_approved),
  }));
}
