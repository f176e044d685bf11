import {
  EVERY_DECISION,
  type DecisionFilter,
  type DecisionScope,
} from "../../../src/domain/vocabulary/decision-scope.js";
import type { OutcomeRow } from "../../../src/path/writer/copy/outcome-row.js";
import { idTimeMs } from "../../../src/domain/ids/ids.js";
import {
  ACTIONS,
  CARD_NETWORKS,
  DECISION_MODES,
  MODES,
  OUTCOMES,
  PAYMENT_METHODS,
  RISK_BANDS,
  type ReviewResolution,
} from "../../../src/domain/vocabulary/vocabulary.js";
import type { TextRow } from "./decision-rows.js";

/** Everything known of one decision. Reads are recomputed from these plain records. */
export interface Remembered {
  row: TextRow;
  reasonCodes: readonly string[];
  outcome: { outcome: number; providerUsed: string | null } | null;
  review: ReviewResolution | null;
}

/** Keeps decisions, outcomes and reviews in memory. Every read scans all of them. */
export class HistoryModel {
  readonly decisions: Remembered[] = [];

  decide(row: TextRow, reasonCodes: readonly string[]): void {
    this.decisions.push({ row, reasonCodes, outcome: null, review: null });
  }

  report({ decisionId, outcome, providerUsed }: OutcomeRow): void {
    const decision = this.decisions.find(({ row }) => row.decisionId === decisionId);
    if (decision !== undefined) decision.outcome = { outcome, providerUsed: String(providerUsed) };
  }

  /** REV-4, REV-5: resolves an open hold. Any other decision is a conflict. */
  review(decisionId: string, resolution: ReviewResolution): "resolved" | "conflict" {
    const decision = this.decisions.find(({ row }) => row.decisionId === decisionId);
    if (decision === undefined) throw new RangeError("unknown decision");
    const { action, decisionMode } = decision.row;
    const isOpen = decision.outcome === null && decision.review === null;
    if (ACTIONS[action] !== "hold" || DECISION_MODES[decisionMode] !== "enforce" || !isOpen)
      return "conflict";
    decision.review = resolution;
    if (resolution === "reject") {
      decision.outcome = { outcome: OUTCOMES.indexOf("blocked"), providerUsed: null };
    }
    return "resolved";
  }

  /** Newest first. */
  list(scope: DecisionScope, filter: DecisionFilter): Remembered[] {
    return this.decisions
      .filter(({ row, outcome, review }) => {
        const decisionMode = DECISION_MODES[row.decisionMode];
        return (
          MODES[row.mode] === scope.mode &&
          (scope.merchantScope === null || row.merchantId === scope.merchantScope) &&
          (filter.action === null || ACTIONS[row.action] === filter.action) &&
          (filter.decisionMode === null || decisionMode === filter.decisionMode) &&
          (!filter.unresolved || (outcome === null && review === null && decisionMode === "enforce")) &&
          (filter.sinceMs === null || idTimeMs(row.decisionId) >= filter.sinceMs) &&
          (filter.untilMs === null || idTimeMs(row.decisionId) < filter.untilMs) &&
          (filter.merchantId === null || row.merchantId === filter.merchantId) &&
          (filter.currency === null || row.currency === filter.currency) &&
          (filter.country === null || row.country === filter.country) &&
          (filter.paymentMethod === null || PAYMENT_METHODS[row.paymentMethod] === filter.paymentMethod) &&
          (filter.cardNetwork === null ||
            (CARD_NETWORKS[row.cardNetwork ?? -1] ?? "") === filter.cardNetwork) &&
          (filter.provider === null || (row.primaryProvider ?? "") === filter.provider) &&
          (filter.orderId === null || row.orderId === filter.orderId)
        );
      })
      .toSorted((a, b) => (a.row.decisionId < b.row.decisionId ? 1 : -1));
  }

  aggregate(scope: DecisionScope): Record<string, unknown> {
    const all = this.list(scope, EVERY_DECISION);
    const withOutcome = all.filter(({ outcome }) => outcome !== null);
    const approved = withOutcome.filter(isApproved).length;
    const latencies = all.map(({ row }) => row.latencyMs).toSorted((a, b) => a - b);
    return {
      total: all.length,
      by_action: tally(all.map(({ row }) => ACTIONS[row.action] as string)),
      by_provider: tally(
        all.flatMap(({ row }) => (row.primaryProvider === null ? [] : [String(row.primaryProvider)])),
      ),
      by_risk_band: tally(all.map(({ row }) => RISK_BANDS[row.riskBand] as string)),
      top_reason_codes: tally(all.slice(0, 500).flatMap(({ reasonCodes }) => reasonCodes)),
      reason_code_sample: Math.min(500, all.length),
      outcome_counts: tally(withOutcome.map(({ outcome }) => OUTCOMES[outcome?.outcome ?? -1] as string)),
      with_outcome: withOutcome.length,
      approved,
      approval_rate: over(approved, withOutcome.length),
      feedback_rate: over(withOutcome.length, all.length),
      avg_latency_ms: over(
        latencies.reduce((sum, ms) => sum + Math.round(ms * 100), 0) / 100,
        latencies.length,
      ),
      p95_latency_ms: latencies[Math.ceil(0.95 * latencies.length) - 1] ?? null,
      recent: all.slice(0, 8).map(({ row }) => row.decisionId),
    };
  }

  shadowReport(scope: DecisionScope, sinceMs: number): Record<string, unknown> {
    const shadow = this.list(scope, { ...EVERY_DECISION, decisionMode: "shadow", sinceMs });
    const comparable = shadow.filter(({ row, outcome }) => outcome !== null && row.primaryProvider !== null);
    const recommended = comparable.filter(
      ({ row, outcome }) => outcome?.providerUsed === row.primaryProvider,
    );
    const fallback = comparable.filter(({ row, outcome }) => outcome?.providerUsed === row.fallbackProvider);
    const followed = [...recommended, ...fallback];
    const diverged = comparable.filter((decision) => !followed.includes(decision));
    return {
      total_shadow_decisions: shadow.length,
      decisions_with_outcome: shadow.filter(({ outcome }) => outcome !== null).length,
      truncated: false,
      actions: tally(shadow.map(({ row }) => ACTIONS[row.action] as string)),
      route_comparison: {
        comparable: comparable.length,
        merchant_used_recommended: recommended.length,
        merchant_used_fallback: fallback.length,
        merchant_diverged: diverged.length,
        agreement_rate: over(followed.length, comparable.length),
        approval_rate_when_followed: over(followed.filter(isApproved).length, followed.length),
        approval_rate_when_diverged: over(diverged.filter(isApproved).length, diverged.length),
      },
    };
  }
}

function isApproved({ outcome }: Remembered): boolean {
  return OUTCOMES[outcome?.outcome ?? -1] === "approved";
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function over(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
