import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import { loadShadowTotals } from "./queries/shadow.js";
import { daysStartMs } from "../../domain/vocabulary/range.js";
import { ACTIONS, type Action } from "../../domain/vocabulary/vocabulary.js";
import { presentCounts, rate } from "../../domain/statistics/figures.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

/** AGG-6: GET /v1/decisions/shadow-report */
export interface ShadowReport {
  window_days: number;
  /** ISO 8601; the window's start is included. */
  since: string;
  total_shadow_decisions: number;
  decisions_with_outcome: number;
  /** False: no figure leaves out a decision. */
  truncated: boolean;
  /** Instructions that occurred. */
  actions: Partial<Record<Action, number>>;
  route_comparison: {
    comparable: number;
    merchant_used_recommended: number;
    merchant_used_fallback: number;
    merchant_diverged: number;
    agreement_rate: number | null;
    approval_rate_when_followed: number | null;
    approval_rate_when_diverged: number | null;
  };
}

export type ReportShadow = (scope: DecisionScope, days: number) => Promise<ShadowReport>;

/** AGG-9: comparable = an outcome and a non-null route; followed = recommended or fallback. */
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
