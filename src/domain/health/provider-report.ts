import type { ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState, IncidentSeverity } from "../vocabulary/vocabulary.js";
import { withoutRecovery } from "./reason-codes.js";
import { roundTo2 } from "../vocabulary/rounding.js";
import { lagDeduction } from "./score.js";
import { parseSegmentKey, restateSnapshot, type HealthSnapshot } from "./snapshot.js";
import { stateOfScore, stateRank, type ScoredState } from "./state-machine.js";

/** The delay of a provider's webhooks. */
export interface ReportedLag {
  provider: ProviderId;
  seconds: number;
  /** Unix milliseconds. The lag applies until this time. */
  untilMs: number;
}

/** An open incident that a provider reported by webhook. */
export interface ReportedIncident {
  provider: ProviderId;
  severity: IncidentSeverity;
  /** Null means every method, or every currency. */
  paymentMethod: string | null;
  currency: string | null;
  /** Unix milliseconds. An incident that the provider never closes ends at this time. */
  untilMs: number;
}

/** The reports that providers have sent to one workspace by webhook. */
export interface ProviderReports {
  lags: readonly ReportedLag[];
  incidents: readonly ReportedIncident[];
}

/**
 * The best state that a segment can show during an incident. The score stays as measured, because HLTH-13 has no term
 * for incidents. Only the state, and routing with it, shows that the provider expects trouble.
 */
const STATE_CAPS = {
  minor: "watch",
  major: "degraded",
  critical: "critical",
} as const satisfies Record<IncidentSeverity, ScoredState>;

/**
 * Applies the reports to `measured`, a workspace's own segments. Adds a snapshot for every probed segment that a
 * report changes.
 */
export function reportOverlay(
  probed: readonly HealthSnapshot[],
  measured: readonly HealthSnapshot[],
  reports: ProviderReports,
  nowMs: number,
): HealthSnapshot[] {
  const lags = new Map<ProviderId, number>();
  for (const { provider, seconds, untilMs } of reports.lags) if (untilMs > nowMs) lags.set(provider, seconds);
  const incidents = reports.incidents.filter(({ untilMs }) => untilMs > nowMs);
  const report = (snapshot: HealthSnapshot): HealthSnapshot =>
    withIncidents(withLag(snapshot, lags.get(snapshot.provider)), incidents);

  const overlay = new Map<string, HealthSnapshot>();
  for (const snapshot of measured) overlay.set(snapshot.segment_key, report(snapshot));
  for (const snapshot of probed) {
    if (overlay.has(snapshot.segment_key)) continue;
    const reported = report(snapshot);
    if (reported !== snapshot) overlay.set(snapshot.segment_key, reported);
  }
  return [...overlay.values()];
}

/**
 * HLTH-13: recomputes the score with the reported lag instead of the measured one. If the score falls below the
 * state's band, the state gets worse too.
 */
function withLag(snapshot: HealthSnapshot, seconds: number | undefined): HealthSnapshot {
  if (seconds === undefined || snapshot.state === "unknown") return snapshot;
  const lagging = { ...snapshot, webhook_lag_seconds: seconds };
  const points = lagDeduction(seconds) - lagDeduction(snapshot.webhook_lag_seconds);
  const score = roundTo2(Math.max(0, snapshot.score - points));
  const state = worse(snapshot.state, stateOfScore(score));
  return restateSnapshot(lagging, { state, score, source: snapshot.source });
}

function withIncidents(snapshot: HealthSnapshot, incidents: readonly ReportedIncident[]): HealthSnapshot {
  const { provider, paymentMethod, currency } = parseSegmentKey(snapshot.segment_key);
  let state: HealthState = snapshot.state;
  let isHit = false;
  for (const incident of incidents) {
    if (incident.provider !== provider || state === "unknown") continue;
    if (incident.paymentMethod !== null && incident.paymentMethod !== paymentMethod) continue;
    if (incident.currency !== null && incident.currency !== currency) continue;
    isHit = true;
    state = worse(state, STATE_CAPS[incident.severity]);
  }
  if (!isHit) return snapshot;
  const { score, source } = snapshot;
  const restated = restateSnapshot(snapshot, { state, score, source });
  const prefix = provider.toUpperCase();
  const codes = withoutRecovery(prefix, restated.reason_codes);
  return { ...restated, reason_codes: [...codes, `${prefix}_INCIDENT_REPORTED`] };
}

function worse(state: ScoredState, other: ScoredState): ScoredState {
  return stateRank(other) > stateRank(state) ? other : state;
}
