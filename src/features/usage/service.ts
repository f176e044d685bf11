import { written, type Readers } from "../../platform/postgres/database-read.js";
import { loadUsage, type MonthlyUsage } from "./queries.js";
import { formatMonth } from "../../domain/vocabulary/month.js";
import type { UsageReport } from "./wire.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

/** The subject `exports` uses it. */
export { loadUsage };

/** Months since the year 0, both inclusive. */
interface MonthSpan {
  from: number;
  to: number;
}

/** The read that this feature sends to the reader thread. The answer is null when it would be too long. */
export interface UsageRead {
  kind: "usage";
  workspaceId: string;
  months: MonthSpan;
}

/**
 * ANA-4: GET /v1/admin/usage, ordered by month, then test before live, then merchant id. `decisions` are the billable
 * ones, made in enforce mode. Shadow decisions are advice. Returns null for more rows than `usageRowsMax`.
 */
function createUsageReport(tenants: TenantDb) {
  return async (workspaceId: string, months: MonthSpan): Promise<UsageReport | null> => {
    const usage = await loadUsage(tenants.of(workspaceId), workspaceId, months);
    if (usage === "too_many") return null;
    return { usage: usage.map(usageBody) };
  };
}

export function usageBody({
  month,
  mode,
  merchantId,
  enforced,
  shadow,
}: MonthlyUsage): UsageReport["usage"][number] {
  return {
    month: formatMonth(month),
    mode,
    merchant_id: merchantId,
    decisions: enforced,
    shadow_decisions: shadow,
  };
}

/** The read of this feature that the reader thread answers. */
export function usageReaders(tenants: TenantDb): Readers<UsageRead> {
  const report = createUsageReport(tenants);
  return { usage: ({ workspaceId, months }) => written(report(workspaceId, months)) };
}
