import { loadCosts } from "./queries/cost.js";
import { loadBeginnings } from "./queries/counted-range.js";
import { loadRetries } from "./queries/retry.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { costReport, type CostReport } from "./cost-report.js";
import { retryReport, type RetryReport } from "./retry-report.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

/** Loads the money and retry parts of the analytics summary. `since` is ISO 8601, as in the summary. */
export async function findReports(
  client: TenantConnection,
  workspaceId: string,
  mode: Mode,
  since: string | null,
): Promise<{ cost: CostReport; retries: RetryReport }> {
  const counted = { workspaceId, mode, sinceMs: since === null ? null : Date.parse(since) };
  const began = await loadBeginnings(client);
  return {
    cost: costReport(laterOf(since, began.costs), await loadCosts(client, counted)),
    retries: retryReport(laterOf(since, began.retries), await loadRetries(client, counted)),
  };
}

/** Returns the later of two times in ISO 8601. Null counts as earlier than any time. */
function laterOf(since: string | null, began: Date | null): string | null {
  if (began === null) return since;
  const beganAt = began.toISOString();
  return since === null || beganAt > since ? beganAt : since;
}
