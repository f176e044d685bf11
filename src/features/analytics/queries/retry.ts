import { OUTCOMES, type Outcome } from "../../../domain/vocabulary/vocabulary.js";
import { countedRows, countedValues, HEAD, type CountedRange } from "./counted-range.js";
import { countOlderRetries } from "./older-head.js";
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

/** The condition is null when a decision has no counted outcome. It then counts as 0. */
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
  const totals = rows.map((row) => ({
    provider: row.provider,
    failedOutcome: OUTCOMES[row.outcome] as Outcome,
    decisions: Number(row.decisions),
    sameOutcomes: Number(row.same_outcomes),
    sameApproved: Number(row.same_approved),
    otherOutcomes: Number(row.other_outcomes),
    otherApproved: Number(row.other_approved),
  }));
  const older = await countOlderRetries(client, range);
  return older.length === 0 ? totals : withOlder(totals, older);
}

/** CH-15: adds ClickHouse's counts of the range's first hour. */
function withOlder(
  totals: RetryTotals[],
  older: Awaited<ReturnType<typeof countOlderRetries>>,
): RetryTotals[] {
  for (const { provider, failedOutcome, used, outcome, number } of older) {
    let sums = totals.find((row) => row.provider === provider && row.failedOutcome === failedOutcome);
    if (sums === undefined) {
      const none = { decisions: 0, sameOutcomes: 0, sameApproved: 0, otherOutcomes: 0, otherApproved: 0 };
      totals.push((sums = { provider, failedOutcome, ...none }));
    }
    const count = Number(number);
    sums.decisions += count;
    if (used === null || outcome === null) continue;
    const isApproved = OUTCOMES[outcome] === "approved";
    sums[used === provider ? "sameOutcomes" : "otherOutcomes"] += count;
    if (isApproved) sums[used === provider ? "sameApproved" : "otherApproved"] += count;
  }
  const place = ({ failedOutcome }: RetryTotals): number => OUTCOMES.indexOf(failedOutcome);
  return totals.toSorted((a, b) =>
    a.provider === b.provider ? place(a) - place(b) : a.provider < b.provider ? -1 : 1,
  );
}
