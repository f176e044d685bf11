import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import { loadShadowTotals } from "./queries/shadow.js";
import { daysStartMs } from "../../domain/vocabulary/range.js";
import { ACTIONS } from "../../domain/vocabulary/vocabulary.js";
import { presentCounts, rate } from "../../domain/statistics/figures.js";
import type { ShadowReport } from "./wire/decision-report-schema.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

export type ReportShadow = (scope: DecisionScope, days: number) => Promise<ShadowReport>;

/**
 * AGG-6: GET /v1/decisions/shadow-report. AGG-9: a comparable decision has an outcome and a non-null route. It was
 * followed if the merchant used the recommended provider or the fallback provider.
 */
export function createShadowReport(tenants: TenantDb, now: () => number): ReportShadow {
  return async (scope, days) => {
    const sinceMs = daysStartMs(days, now());
    const totals = await loadShadowTotals(tenants.of(scope.workspaceId), scope, sinceMs);
    const { comparable, usedRecommended, usedFallback } = totals;
    const followed = usedRecommended + usedFallback;
    const actions = presentCounts(ACTIONS, totals.actions);
    return {
      window_days: days,
      since: new Date(sinceMs).toISOString(),
      total_shadow_decisions: actions.reduce((sum, { count }) => sum + count, 0),
      decisions_with_outcome: totals.outcomes,
      truncated: false,
      actions: Object.fromEntries(actions.map(({ name, count }) => [name, count])),
      route_comparison: {
        comparable,
        merchant_used_recommended: usedRecommended,
        merchant_used_fallback: usedFallback,
        merchant_diverged: comparable - followed,
        agreement_rate: rate(followed, comparable),
        approval_rate_when_followed: rate(totals.approvedFollowed, followed),
        approval_rate_when_diverged: rate(totals.approvedDiverged, comparable - followed),
      },
    };
  };
}
