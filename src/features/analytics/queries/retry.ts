import { OUTCOMES, type Outcome } from "../../../domain/vocabulary/vocabulary.js";
import { countedRows, countedValues, headValues, HEAD, partsOf, type CountedRange } from "./counted-range.js";
import { countOlderRetries, type HeadRetries } from "./older-head.js";
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
           from (${countedRows(COLUMNS, "rollup_retries", "rollup_retry_deltas")}) parts
           group by provider, outcome order by provider, outcome`,
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
  const { headStart, headEnd, headTimes } = partsOf(range);
  if (headStart === headEnd) return totals;
  const head = [...(await countHeadRetries(client, range)), ...(await countOlderRetries(client, range))];
  return withHead(totals, head, headTimes);
}

/** Counts the rows of the range's first hour. */
async function countHeadRetries(client: TenantConnection, range: CountedRange): Promise<HeadRetries[]> {
  const { rows } = await client.query<Omit<HeadRetries, "failedOutcome"> & { failed_outcome: number }>({
    name: "count_head_retries",
    text: `select failed_provider as provider, failed_outcome, counted_provider as used, counted_outcome as outcome,
             count(*) as number
           from retried_decisions where ${HEAD} group by 1, 2, 3, 4`,
    values: headValues(range),
  });
  return rows.map(({ failed_outcome: failed, ...row }) => ({
    ...row,
    failedOutcome: OUTCOMES[failed] as Outcome,
  }));
}

/** Adds the counts of the range's first hour, or subtracts them if `times` is -1. */
function withHead(totals: RetryTotals[], head: readonly HeadRetries[], times: 1 | -1): RetryTotals[] {
  for (const { provider, failedOutcome, used, outcome, number } of head) {
    let sums = totals.find((row) => row.provider === provider && row.failedOutcome === failedOutcome);
    if (sums === undefined) {
      const none = { decisions: 0, sameOutcomes: 0, sameApproved: 0, otherOutcomes: 0, otherApproved: 0 };
      totals.push((sums = { provider, failedOutcome, ...none }));
    }
    const count = times * Number(number);
    sums.decisions += count;
    if (used === null || outcome === null) continue;
    const isApproved = OUTCOMES[outcome] === "approved";
    sums[used === provider ? "sameOutcomes" : "otherOutcomes"] += count;
    if (isApproved) sums[used === provider ? "sameApproved" : "otherApproved"] += count;
  }
  const place = ({ failedOutcome }: RetryTotals): number => OUTCOMES.indexOf(failedOutcome);
  return totals
    .filter(({ decisions }) => decisions > 0)
    .toSorted((a, b) => (a.provider === b.provider ? place(a) - place(b) : a.provider < b.provider ? -1 : 1));
}
