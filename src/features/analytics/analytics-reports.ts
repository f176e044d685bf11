import { loadCosts } from "./queries/cost.js";
import { loadBeginnings, type CountedRange } from "./queries/counted-range.js";
import type { RangeHead } from "./queries/range-head.js";
import { loadRetries } from "./queries/retry.js";
import { costReport, type CostReport } from "./cost-report.js";
import { retryReport, type RetryReport } from "./retry-report.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

/** Loads the money and retry parts of the analytics summary. `head` has the costs of the range's first hour. */
export async function findReports(
  client: TenantConnection,
  counted: CountedRange,
  head: RangeHead["costs"],
): Promise<{ cost: CostReport; retries: RetryReport }> {
  const since = counted.sinceMs === null ? null : new Date(counted.sinceMs).toISOString();
  const began = await loadBeginnings(client);
  return {
    cost: costReport(laterOf(since, began.costs), await loadCosts(client, counted, head)),
    retries: retryReport(laterOf(since, began.retries), await loadRetries(client, counted)),
  };
}

/** Returns the later of two times in ISO 8601. Null counts as earlier than any time. */
function laterOf(since: string | null, began: Date | null): string | null {
  if (began === null) return since;
  const beganAt = began.toISOString();
  return since === null || beganAt > since ? beganAt : since;
}
