import type { ClientBase } from "pg";
import { loadCosts } from "../persistence/cost-queries.js";
import { loadBeginnings } from "../persistence/counted-range.js";
import { loadRetries } from "../persistence/retry-queries.js";
import { HOUR_MS } from "../persistence/rollup-columns.js";
import type { Mode } from "../shared/vocabulary.js";
import { costReport, type CostReport } from "./cost-report.js";
import { retryReport, type RetryReport } from "./retry-report.js";

/** The parts of the analytics summary about money and retries; `since` as in the summary, ISO 8601. */
export async function findReports(
  client: ClientBase,
  workspaceId: string,
  mode: Mode,
  since: string | null,
): Promise<{ cost: CostReport; retries: RetryReport }> {
  const counted = { workspaceId, mode, sinceHour: since === null ? null : Date.parse(since) / HOUR_MS };
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
