import type { ProviderId } from "../vocabulary/decision-request.js";
import { roundTo2, roundTo6 } from "../vocabulary/rounding.js";
import { confidenceOf, type HealthMeasures } from "./score.js";
import {
  createSnapshot,
  restateSnapshot,
  snapshotMeasures,
  unknownSnapshot,
  type HealthSnapshot,
} from "./snapshot.js";
import { stateOfScore, stateRank, type ScoredState } from "./state-machine.js";

type ScoredSnapshot = HealthSnapshot & { state: ScoredState };

/**
 * HLTH-17: computes the answer of a provider and method for an unprobed currency, from the snapshots of the probed
 * currencies. Snapshots in state unknown are left out. If none is left, the state is `unknown`.
 * - Score, rates, latency and lag are means weighted by confidence, so a segment with few samples counts little.
 * - `sample_size` is the mean per currency. Confidence follows from it, so the answer is no more certain than that of
 *   one currency.
 * - The state is the worse of two: the state of the mean score, and the state of the median currency. A circuit that
 *   is open in half of the currencies therefore counts even if its window is empty. An outage of one currency does
 *   not exclude the others.
 * - The source is `partial`.
 */
export function aggregateSegments(
  provider: ProviderId,
  key: string,
  segments: readonly HealthSnapshot[],
  updatedAt: string,
): HealthSnapshot {
  const known = segments.filter((segment): segment is ScoredSnapshot => segment.state !== "unknown");
  if (known.length === 0) return unknownSnapshot(provider, key, updatedAt);

  const mean = weightedMean(known);
  const samples = Math.round(known.reduce((sum, segment) => sum + segment.sample_size, 0) / known.length);
  const measures: HealthMeasures = {
    timeoutRate: roundTo6(mean((m) => m.timeoutRate)),
    error5xxRate: roundTo6(mean((m) => m.error5xxRate)),
    throttle429Rate: roundTo6(mean((m) => m.throttle429Rate)),
    approvalRate: roundTo6(mean((m) => m.approvalRate)),
    approvalRateBaseline: roundTo6(mean((m) => m.approvalRateBaseline)),
    p95LatencyMs: Math.round(mean((m) => m.p95LatencyMs)),
    webhookLagSeconds: roundTo2(mean((m) => m.webhookLagSeconds)),
  };
  const score = roundTo2(mean((_, segment) => segment.score));
  const state = worse(stateOfScore(score), medianState(known));
  const source = "partial";
  const snapshot = createSnapshot({ provider, segmentKey: key, state, measures, samples, source, updatedAt });
  return restateSnapshot(snapshot, { state, score, source });
}

function weightedMean(
  segments: readonly HealthSnapshot[],
): (value: (measures: HealthMeasures, segment: HealthSnapshot) => number) => number {
  const sampled = segments.some((segment) => segment.sample_size > 0);
  const weights = segments.map((segment) => (sampled ? confidenceOf(segment.sample_size) : 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const measures = segments.map(snapshotMeasures);
  return (value) => {
    let sum = 0;
    for (const [i, segment] of segments.entries()) {
      sum += (weights[i] as number) * value(measures[i] as HealthMeasures, segment);
    }
    return sum / total;
  };
}

/** Returns the worst state for which at least half of the segments are in this state or a worse one. */
function medianState(segments: readonly ScoredSnapshot[]): ScoredState {
  const worstFirst = segments.map((segment) => segment.state).toSorted((a, b) => stateRank(b) - stateRank(a));
  return worstFirst[Math.ceil(worstFirst.length / 2) - 1] as ScoredState;
}

function worse(a: ScoredState, b: ScoredState): ScoredState {
  return stateRank(a) >= stateRank(b) ? a : b;
}
