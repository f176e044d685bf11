import type { HealthSource, HealthState } from "../../vocabulary/vocabulary.js";
import { shrunk } from "../../statistics/shrinkage.js";
import type { RecentFailures } from "../failure-window.js";
import { HEALTH_LIMITS } from "../limits.js";
import { shownMeasures, shownScore, type LiveEstimate } from "./live-estimate.js";
import { LiveEvidence, type BlamedDeclines, type LearntEvidence, type LiveSample } from "./live-evidence.js";
import type { ProbedSegment } from "../probed-segment.js";
import type { HighShare } from "./felt-window.js";
import { findRaised, isFalling, type ProviderAlertKind } from "./outcome-alert.js";
import { createSnapshot, type HealthSnapshot } from "../snapshot.js";
import {
  closeUntested,
  INITIAL_HEALTH,
  shownState,
  stateRank,
  step,
  type ScoredState,
  type SegmentHealth,
} from "../state-machine.js";
import { isTechnicalFailure } from "../window.js";

/** The stored form of a level, from which a restarted node continues. */
export interface LearntLevel extends LearntEvidence {
  /** The segment key of the level. */
  key: string;
  health: SegmentHealth;
}

/** A summary of a level's outcomes for people. All counts are weighted. */
export interface LiveDetail {
  segmentKey: string;
  /** The weighted number of outcomes that have not faded yet. */
  samples: number;
  /** Approvals, and declines held against the provider. */
  judged: number;
  /**
   * HLTH-29: the share of approvals among the judged outcomes, shrunk towards `parentRate`. Null if nothing is known.
   */
  rate: number | null;
  /** 0..1. Null without judged outcomes. */
  approvalRate: number | null;
  technicalRate: number | null;
  /** Null without outcomes. */
  p95LatencyMs: number | null;
  blamed: BlamedDeclines;
  /** Null before the first tick. */
  snapshot: HealthSnapshot | null;
  parentRate: number | null;
}

/** The inputs for judging a level at a tick. */
export interface Judgement {
  estimate: LiveEstimate;
  /** The state without the level's own outcomes. Null if it is unknown. */
  known: ScoredState | null;
  source: HealthSource;
  /** True if the level's state must be no better than `known`. */
  isBounded: boolean;
  /** The share of approvals among answers, 0..1, of the level above. Null if nothing is known. */
  parentRate: number | null;
}

/**
 * A level of a segment: its outcomes and its state. An open circuit gets no traffic, so the probes of `guide` test the
 * circuit. While the level has too few outcomes for a circuit of its own, `widerRecent` returns the failures to judge
 * by.
 */
export class LiveLevel {
  readonly evidence = new LiveEvidence();
  health: SegmentHealth;
  /** The snapshot of the last tick that changed anything. Null before the first. */
  latest: HealthSnapshot | null = null;
  /** The time of `latest`, in Unix milliseconds. */
  private shownAtMs = -Infinity;
  /** The approval rate of the level above, at the last tick. Null before the first tick. */
  parentRate: number | null = null;
  /** The usual share of approvals 0..1, as of the last tick. */
  usual: number;
  /** ALRT-15, ALRT-16: the shares that were higher than usual at the last tick. */
  raised: Readonly<Record<ProviderAlertKind, HighShare | null>> = NOT_RAISED;
  /** The times, in Unix milliseconds, since when approvals and technical failures have certainly been as usual. */
  readonly wellSinceMs: Record<ProviderAlertKind, number> = {
    approval_drop: -Infinity,
    technical_failures: -Infinity,
  };
  /**
   * True if the level has certainly fewer approvals than usual, but perhaps too few payments for an alert of its own.
   * The falls of several providers together may suffice for an alert (ALRT-17).
   */
  private isFalling = false;
  /** True if an open circuit's time is over and its failures have been removed. */
  private isAnswered = false;

  constructor(
    readonly key: string,
    readonly guide: ProbedSegment,
    begin: { health: SegmentHealth; usual: number },
    private readonly widerRecent: (nowMs: number, own: RecentFailures) => RecentFailures,
  ) {
    this.health = begin.health;
    this.usual = begin.usual;
  }

  /** Creates a level below another one. It begins with the state of that level. */
  static below(wider: LiveLevel, key: string): LiveLevel {
    return new LiveLevel(key, wider.guide, wider, (nowMs) => wider.recent(nowMs));
  }

  get state(): HealthState {
    return this.latest?.state ?? shownState(this.health);
  }

  get circuitClosed(): boolean {
    return this.health.kind !== "circuit_open" && this.health.kind !== "half_open";
  }

  get isSuspect(): boolean {
    return this.isFalling || this.raised !== NOT_RAISED;
  }

  /** True if the next tick may change the state even if no outcome arrives. */
  get isMoving(): boolean {
    return !this.circuitClosed || (this.health.kind === "scored" && this.health.trend !== null);
  }

  record(sample: LiveSample, nowMs: number): void {
    this.evidence.record(sample);
    const technicalFailure = isTechnicalFailure(sample.kind);
    // An answer opens no circuit, so it needs no step while the circuit is closed. Most outcomes are answers.
    if (!technicalFailure && this.circuitClosed) return;
    const recent = this.recent(nowMs);
    // After `circuitGoodProbes` equal samples the circuit has opened or closed, so further ones change nothing.
    const steps = Math.min(sample.count, HEALTH_LIMITS.circuitGoodProbes);
    for (let i = 0; i < steps; i++) {
      this.health = step(this.health, { kind: "sample", technicalFailure, recent }, nowMs);
    }
  }

  /**
   * Fades the counts to this tick, and tests an open circuit. Returns true if the circuit's open time has just ended,
   * so that the failures that opened it were removed.
   */
  begin(nowMs: number): boolean {
    this.evidence.advance(nowMs);
    if (this.circuitClosed) {
      this.isAnswered = false;
      return false;
    }
    // The failures that opened the circuit have had their effect. If they remained, their low score would keep traffic
    // away from a provider that works again.
    const isDue = this.health.kind !== "circuit_open" || nowMs >= this.health.untilMs;
    const isAnsweredNow = isDue && !this.isAnswered;
    if (isAnsweredNow) this.evidence.clearFailures();
    this.isAnswered = isDue;
    const recent = this.recent(nowMs);
    for (const { atMs, technicalFailure } of this.guide.recentProbes) {
      this.health = step(this.health, { kind: "sample", technicalFailure, recent }, atMs);
    }
    if (!this.guide.hasProbes) this.health = closeUntested(this.health, nowMs);
    return isAnsweredNow;
  }

  /** Judges the level. Call `begin` first. Returns true if the level's snapshot changed. */
  judge(judgement: Judgement, nowMs: number, updatedAt: string): boolean {
    const { estimate, known, source, isBounded } = judgement;
    this.parentRate = judgement.parentRate;
    this.usual = estimate.scored.normal;
    this.assess(nowMs);
    if (known !== null && this.health === INITIAL_HEALTH) {
      this.health = { kind: "scored", state: known, trend: null, backoff: null };
    }
    const score = shownScore(estimate);
    const samples = Math.round(estimate.samples);
    const lastSampleAtMs = known === null ? this.evidence.lastOutcomeMs : nowMs;
    const recent = this.recent(nowMs);
    this.health = step(this.health, { kind: "tick", score, samples, lastSampleAtMs, recent }, nowMs);
    const ownState = shownState(this.health);
    const snapshot = createSnapshot({
      provider: this.guide.mock.provider,
      segmentKey: this.key,
      state: isBounded && known !== null ? worse(ownState, known) : ownState,
      measures: shownMeasures(estimate),
      score,
      samples,
      source,
      updatedAt,
    });
    const isYoung = nowMs - this.shownAtMs < HEALTH_LIMITS.restateIntervalMs;
    if (isYoung && this.latest !== null && isSame(this.latest, snapshot)) return false;
    this.latest = snapshot;
    this.shownAtMs = nowMs;
    return true;
  }

  /**
   * Returns the failures that decide whether the circuit opens. If the level has enough outcomes, only its own count.
   * Otherwise successful probes could outvote failing payments.
   */
  recent(nowMs: number): RecentFailures {
    const own = this.evidence.failures.recent(nowMs);
    return own.samples >= HEALTH_LIMITS.circuitSamplesMin ? own : this.widerRecent(nowMs, own);
  }

  private assess(nowMs: number): void {
    const { raised } = this;
    const find = (kind: ProviderAlertKind): HighShare | null => {
      const { high, wellSinceMs } = findRaised(this, kind, raised[kind] !== null, nowMs);
      if (wellSinceMs !== null) this.wellSinceMs[kind] = wellSinceMs;
      return high;
    };
    const drop = find("approval_drop");
    const failing = find("technical_failures");
    this.isFalling = drop !== null || isFalling(this, nowMs);
    this.raised =
      drop === null && failing === null ? NOT_RAISED : { approval_drop: drop, technical_failures: failing };
  }

  detail(): LiveDetail {
    const { evidence, parentRate } = this;
    const { samples, judged, approved, recent, timeouts, errors5xx, throttled429 } = evidence.counts();
    const own = judged === 0 ? null : approved / judged;
    return {
      segmentKey: this.key,
      samples,
      judged,
      rate: parentRate === null ? own : shrunk(approved, judged, parentRate, HEALTH_LIMITS.shrinkageSamples),
      approvalRate: own,
      technicalRate: recent === 0 ? null : (timeouts + errors5xx + throttled429) / recent,
      p95LatencyMs: evidence.p95LatencyMs,
      blamed: evidence.blamed,
      snapshot: this.latest,
      parentRate,
    };
  }

  /** True if almost nothing is left of the level's outcomes. */
  isForgotten(nowMs: number): boolean {
    return (
      this.evidence.samples < HEALTH_LIMITS.forgottenSamplesMax &&
      this.circuitClosed &&
      nowMs - this.evidence.lastOutcomeMs >= HEALTH_LIMITS.staleMs
    );
  }

  toLearnt(): LearntLevel {
    return { key: this.key, health: this.health, ...this.evidence.toLearnt() };
  }

  restore(learnt: LearntLevel): void {
    this.evidence.restore(learnt);
    this.health = learnt.health;
  }
}

const NOT_RAISED: LiveLevel["raised"] = { approval_drop: null, technical_failures: null };

function worse(state: HealthState, other: ScoredState): HealthState {
  return state !== "unknown" && stateRank(other) > stateRank(state) ? other : state;
}

/** True if the snapshots are equal apart from their time. */
function isSame(before: HealthSnapshot, after: HealthSnapshot): boolean {
  return (
    before.state === after.state &&
    before.score === after.score &&
    before.sample_size === after.sample_size &&
    before.approval_rate === after.approval_rate &&
    before.approval_rate_baseline === after.approval_rate_baseline &&
    before.timeout_rate === after.timeout_rate &&
    before.error_5xx_rate === after.error_5xx_rate &&
    before.throttle_429_rate === after.throttle_429_rate &&
    before.p95_latency_ms === after.p95_latency_ms &&
    before.webhook_lag_seconds === after.webhook_lag_seconds &&
    before.source === after.source
  );
}
