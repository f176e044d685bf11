import type { ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState } from "../vocabulary/vocabulary.js";
import { FailureWindow } from "./failure-window.js";
import type { Incident } from "./incident.js";
import { HEALTH_LIMITS } from "./limits.js";
import type { MockSegment } from "./mock-provider.js";
import { healthScore, measuresOf } from "./score.js";
import { createSnapshot, segmentKey, type HealthSnapshot } from "./snapshot.js";
import { INITIAL_HEALTH, shownState, step, type SegmentHealth } from "./state-machine.js";
import { isTechnicalFailure, SegmentWindow } from "./window.js";

/** The result of a probe, as the circuit needs it. */
interface ProbeResult {
  atMs: number;
  technicalFailure: boolean;
}

/** One probed provider × method × currency, with its mock, windows and state. */
export class ProbedSegment {
  readonly key: string;
  readonly window = new SegmentWindow();
  readonly failures = new FailureWindow();
  health: SegmentHealth = INITIAL_HEALTH;
  /**
   * The probes since the last tick, at most those of one window. Workspaces' views use them to test open circuits. There
   * is no view before the first tick, and a start makes the probes of a whole window, so those are not kept.
   */
  recentProbes: ProbeResult[] = [];
  /** The snapshot of the last tick. Null before the first tick. */
  latest: HealthSnapshot | null = null;
  private nextProbe: number;

  /** Probing starts with the first probe at or after `startMs`. Without probes the segment stays unknown (HLTH-26). */
  constructor(
    readonly mock: MockSegment,
    startMs: number,
    readonly hasProbes = true,
  ) {
    this.key = segmentKey(mock.provider, mock.paymentMethod, mock.currency);
    this.nextProbe = mock.firstProbeAt(startMs);
  }

  get state(): HealthState {
    return shownState(this.health);
  }

  /** The usual approval rate, 0..1. HLTH-26: without probes, the mock's profile says nothing about the provider. */
  get approvalRateBaseline(): number {
    return this.hasProbes ? this.mock.profile.approvalRate : HEALTH_LIMITS.assumedApprovalRate;
  }

  /**
   * Makes every probe that is due by `nowMs`, each at its own time. The result therefore does not depend on the
   * frequency of calls. An open circuit is not probed, but a half-open one is.
   */
  probeUntil(nowMs: number, incidents: readonly Incident[]): void {
    if (!this.hasProbes) return;
    const { mock } = this;
    this.recentProbes = [];
    // After a long stop, only the probes of the last window matter.
    this.nextProbe = Math.max(this.nextProbe, mock.firstProbeAt(nowMs - HEALTH_LIMITS.windowMs));
    for (let atMs = mock.probeAtMs(this.nextProbe); atMs <= nowMs; atMs = mock.probeAtMs(this.nextProbe)) {
      if (this.health.kind === "circuit_open" && atMs < this.health.untilMs) {
        this.nextProbe = mock.firstProbeAt(this.health.untilMs);
        continue;
      }
      const { kind, latencyMs } = mock.probe(this.nextProbe, incidents);
      const technicalFailure = isTechnicalFailure(kind);
      this.window.add(atMs, kind, latencyMs);
      this.failures.add(atMs, technicalFailure);
      if (this.latest !== null) this.recentProbes.push({ atMs, technicalFailure });
      const recent = this.failures.recent(atMs);
      this.health = step(this.health, { kind: "sample", technicalFailure, recent }, atMs);
      this.nextProbe++;
    }
  }

  /** Runs one tick of the state machine and returns the new snapshot. */
  tick(nowMs: number, updatedAt: string): HealthSnapshot {
    this.window.advance(nowMs);
    const { profile, provider } = this.mock;
    const webhookLagSeconds = this.hasProbes ? profile.webhookLagSeconds : 0;
    const summary = SegmentWindow.summarize([this.window]);
    const measures = measuresOf(summary, this.approvalRateBaseline, webhookLagSeconds);
    const { samples, lastSampleAtMs } = summary;
    const score = healthScore(measures);
    const recent = this.failures.recent(nowMs);
    this.health = step(this.health, { kind: "tick", score, samples, lastSampleAtMs, recent }, nowMs);
    const { state, key } = this;
    this.latest = createSnapshot({
      provider,
      segmentKey: key,
      state,
      measures,
      samples,
      source: "probe",
      updatedAt,
    });
    return this.latest;
  }
}

/**
 * Finds the probed segments that an outcome belongs to. `siblings` is empty if the provider or method is not
 * configured.
 */
export interface ProbedSegments {
  find(key: string): ProbedSegment | undefined;
  siblings(provider: ProviderId, paymentMethod: string): readonly ProbedSegment[];
}

/** Every probed segment, by its key and by its provider and method. */
export function indexSegments(segments: readonly ProbedSegment[]): ProbedSegments {
  const byKey = new Map(segments.map((segment) => [segment.key, segment]));
  const byMethod = new Map<string, ProbedSegment[]>();
  for (const segment of segments) {
    const methodKey = `${segment.mock.provider}:${segment.mock.paymentMethod}`;
    const siblings = byMethod.get(methodKey);
    if (siblings === undefined) byMethod.set(methodKey, [segment]);
    else siblings.push(segment);
  }
  return {
    find(key) {
      const segment = byKey.get(key);
      return segment?.hasProbes === true ? segment : undefined;
    },
    siblings: (provider, paymentMethod) => byMethod.get(`${provider}:${paymentMethod}`) ?? [],
  };
}
