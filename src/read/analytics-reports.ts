import { loadCosts } from "../persistence/cost-queries.js";
import { loadBeginnings, type CountedRange } from "../persistence/counted-range.js";
import { loadRetries } from "../persistence/retry-queries.js";
import { HOUR_MS } from "../persistence/rollup-columns.js";
import type { Mode } from "../shared/vocabulary.js";
import type { Range } from "./analytics-window.js";
import { costReport, type CostReport } from "./cost-report.js";
import { retryReport, type RetryReport } from "./retry-report.js";
import type { TenantConnection } from "../persistence/tenant-db.js";

const COUNTED_BY = {
  "24h": "hours",
  "7d": "days",
  "30d": "days",
  "90d": "days",
  all: "all",
} as const satisfies Record<Range, CountedRange["by"]>;

/** The parts of the analytics summary about money and retries; `since` as in the summary, ISO 8601. */
export async function findReports(
  client: TenantConnection,
  workspaceId: string,
  mode: Mode,
  range: Range,
  since: string | null,
): Promise<{ cost: CostReport; retries: RetryReport }> {
  const sinceHour = since === null ? 0 : Date.parse(since) / HOUR_MS;
  const counted = { workspaceId, mode, by: COUNTED_BY[range], sinceHour };
  const began = await loadBeginnings(client);
  return {
    cost: costReport(laterOf(since, began.costs), await loadCosts(client, counted)),
    retries: retryReport(laterOf(since, began.retries), await loadRetries(client, counted)),
  };
}

/** ISO 8601; null is before everything. */
function laterOf(since: string | null, began: Date | null): string | null {
  if (began === null) return since;
  const beganAt = began.toISOString();
  return since === null || beganAt > since ? beganAt : since;
}
