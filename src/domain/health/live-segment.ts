import type { HealthState, Mode } from "../vocabulary/vocabulary.js";
import { FailureWindow, type RecentFailures } from "./failure-window.js";
import { HEALTH_LIMITS } from "./limits.js";
import type { ProbedSegment } from "./probed-segment.js";
import { roundTo6 } from "../vocabulary/rounding.js";
import { healthScore, measuresOf, type HealthMeasures } from "./score.js";
import { createSnapshot, type HealthSnapshot } from "./snapshot.js";
import { closeUntested, INITIAL_HEALTH, shownState, step, type SegmentHealth } from "./state-machine.js";
import { isTechnicalFailure, SegmentWindow, type SampleKind, type WindowSummary } from "./window.js";

export interface LiveSegmentOwner {
  workspaceId: string;
  mode: Mode;
}

/**
 * One segment in the view of one workspace and mode. Its live outcomes add to the probes, if the segment is probed.
 * `siblings` are the probed segments of the same provider and method. If a segment is not probed, its half-open circuit
 * is tested with the probes of the first sibling, because no traffic is routed to it meanwhile.
 */
export class LiveSegment {
  readonly window = new SegmentWindow();
  readonly failures = new FailureWindow();
  health: SegmentHealth;
  lastOutcomeMs = -Infinity;
  private readonly approvalRateBaseline: number;
  private readonly guide: ProbedSegment;

  constructor(
    readonly owner: LiveSegmentOwner,
    readonly key: string,
    readonly probed: ProbedSegment | null,
    siblings: readonly [ProbedSegment, ...ProbedSegment[]],
  ) {
    this.guide = probed ?? siblings[0];
    this.health = probed?.health ?? INITIAL_HEALTH;
    const baselines = siblings.map((sibling) => sibling.mock.profile.approvalRate);
    const mean = baselines.reduce((sum, rate) => sum + rate, 0) / baselines.length;
    this.approvalRateBaseline = probed?.mock.profile.approvalRate ?? roundTo6(mean);
  }

  get state(): HealthState {
    return shownState(this.health);
  }

  get circuitClosed(): boolean {
    return this.health.kind !== "circuit_open" && this.health.kind !== "half_open";
  }

  /** False if the attempt is older than the window. */
  record(kind: SampleKind, latencyMs: number, atMs: number, nowMs: number): boolean {
    this.window.advance(nowMs);
    if (!this.window.add(atMs, kind, latencyMs)) return false;
    const technicalFailure = isTechnicalFailure(kind);
    this.failures.add(atMs, technicalFailure);
    this.lastOutcomeMs = nowMs;
    this.health = step(this.health, { kind: "sample", technicalFailure, recent: this.recent(nowMs) }, nowMs);
    return true;
  }

  /** One tick. The probed segments must have had theirs before. */
  tick(nowMs: number): void {
    this.window.advance(nowMs);
    if (!this.circuitClosed) {
      for (const { atMs, technicalFailure } of this.guide.recentProbes) {
        const recent = this.recent(nowMs);
        this.health = step(this.health, { kind: "sample", technicalFailure, recent }, atMs);
      }
      if (!this.guide.hasProbes) this.health = closeUntested(this.health, nowMs);
    }
    const summary = this.summary();
    const { samples, lastSampleAtMs } = summary;
    const score = healthScore(this.measures(summary));
    const recent = this.recent(nowMs);
    this.health = step(this.health, { kind: "tick", score, samples, lastSampleAtMs, recent }, nowMs);
  }

  snapshot(updatedAt: string): HealthSnapshot {
    const summary = this.summary();
    return createSnapshot({
      provider: this.guide.mock.provider,
      segmentKey: this.key,
      state: this.state,
      measures: this.measures(summary),
      samples: summary.samples,
      source: this.probed === null ? "live" : "partial",
      updatedAt,
    });
  }

  /**
   * Successful probes must not outvote failing real payments. So the circuit judges by the payments alone once there
   * are enough of them.
   */
  private recent(nowMs: number): RecentFailures {
    const live = this.failures.recent(nowMs);
    if (this.probed === null || live.samples >= HEALTH_LIMITS.circuitSamplesMin) return live;
    const probes = this.probed.failures.recent(nowMs);
    return {
      samples: live.samples + probes.samples,
      technicalFailures: live.technicalFailures + probes.technicalFailures,
    };
  }

  private summary(): WindowSummary {
    return SegmentWindow.summarize(this.probed === null ? [this.window] : [this.probed.window, this.window]);
  }

  private measures(summary: WindowSummary): HealthMeasures {
    return measuresOf(summary, this.approvalRateBaseline, this.guide.mock.profile.webhookLagSeconds);
  }
}
