import { DecayingCounts } from "../statistics/decaying-counts.js";
import type { Blame, HealthSource, HealthState, Mode } from "../vocabulary/vocabulary.js";
import { FailureWindow, type RecentFailures } from "./failure-window.js";
import { HEALTH_LIMITS } from "./limits.js";
import { estimateLive, noPrior, priorOf, type LiveCounts, type LiveEstimate } from "./live-estimate.js";
import type { ProbedSegment } from "./probed-segment.js";
import { roundTo6 } from "../vocabulary/rounding.js";
import { createSnapshot, type HealthSnapshot } from "./snapshot.js";
import {
  closeUntested,
  INITIAL_HEALTH,
  shownState,
  stateRank,
  step,
  type ScoredState,
  type SegmentHealth,
} from "./state-machine.js";
import { isTechnicalFailure, type SampleKind } from "./window.js";

export interface LiveSegmentOwner {
  workspaceId: string;
  mode: Mode;
}

/** Equal attempts of one segment. */
export interface LiveSample {
  kind: SampleKind;
  /** Who caused a soft decline. */
  blame: Blame;
  /** Unix milliseconds. */
  atMs: number;
  count: number;
}

type ScoredSnapshot = HealthSnapshot & { state: ScoredState };

const TECHNICAL = { recent: 0, timeout: 1, error_5xx: 2, throttled_429: 3 } as const;
const APPROVALS = { answered: 0, judged: 1, approved: 2 } as const;
const NORMAL = { judged: 0, approved: 1 } as const;

/** The plain form of what a segment has learnt, for a restart. */
export interface LearntSegment {
  key: string;
  technical: number[];
  approvals: number[];
  normal: number[];
  health: SegmentHealth;
  lastOutcomeMs: number;
}

/**
 * One segment in the view of one workspace and mode: what its outcomes say, over what is known without them. That is the
 * segment's probes, or for a currency without probes the view's own answer for the provider and method. `siblings` are
 * the probed segments of the same provider and method. If a segment is not probed, its half-open circuit is tested with
 * the probes of the first sibling, because no traffic is routed to it meanwhile.
 */
export class LiveSegment {
  readonly failures = new FailureWindow();
  health: SegmentHealth;
  lastOutcomeMs = -Infinity;
  /** The snapshot of the last tick that changed anything. Null while the segment's own outcomes are too few to show. */
  latest: HealthSnapshot | null = null;
  private readonly technical = new DecayingCounts(4, HEALTH_LIMITS.technicalHalfLifeMs);
  private readonly approvals = new DecayingCounts(3, HEALTH_LIMITS.approvalHalfLifeMs);
  private readonly normal = new DecayingCounts(2, HEALTH_LIMITS.normalHalfLifeMs);
  private readonly approvalRateBaseline: number;
  /** True once the time of an open circuit is up, and what opened it is forgotten. */
  private isAnswered = false;
  private readonly guide: ProbedSegment;
  /** True if the currency is one of PROBE_CURRENCIES, even if probes are turned off. */
  readonly isConfigured: boolean;

  constructor(
    readonly owner: LiveSegmentOwner,
    /** Names the owner, for a look-up. */
    readonly ownerKey: string,
    readonly key: string,
    readonly probed: ProbedSegment | null,
    readonly siblings: readonly [ProbedSegment, ...ProbedSegment[]],
  ) {
    this.guide = probed ?? siblings[0];
    this.isConfigured = siblings.some((sibling) => sibling.key === key);
    this.health = probed?.health ?? INITIAL_HEALTH;
    const baselines = siblings.map((sibling) => sibling.mock.profile.approvalRate);
    const mean = baselines.reduce((sum, rate) => sum + rate, 0) / baselines.length;
    this.approvalRateBaseline = probed?.mock.profile.approvalRate ?? roundTo6(mean);
  }

  get state(): HealthState {
    return this.latest?.state ?? shownState(this.health);
  }

  get circuitClosed(): boolean {
    return this.health.kind !== "circuit_open" && this.health.kind !== "half_open";
  }

  /** The weighted number of outcomes that are still remembered, as of the last tick. */
  get samples(): number {
    return this.approvals.of(APPROVALS.answered) + this.technicalFailures;
  }

  private get technicalFailures(): number {
    const { technical } = this;
    return (
      technical.of(TECHNICAL.timeout) +
      technical.of(TECHNICAL.error_5xx) +
      technical.of(TECHNICAL.throttled_429)
    );
  }

  /** True if the next tick may change the state without any outcome. */
  get isMoving(): boolean {
    return !this.circuitClosed || (this.health.kind === "scored" && this.health.trend !== null);
  }

  record({ kind, blame, atMs, count }: LiveSample, nowMs: number): void {
    const technicalFailure = isTechnicalFailure(kind);
    const recent = count * this.technical.weightAt(atMs);
    this.technical.add(TECHNICAL.recent, recent);
    if (kind === "timeout" || kind === "error_5xx" || kind === "throttled_429") {
      this.technical.add(TECHNICAL[kind], recent);
    } else {
      this.recordAnswer(kind, blame, count, atMs);
    }
    this.lastOutcomeMs = Math.max(this.lastOutcomeMs, atMs);
    for (let i = 0; i < count; i++) {
      this.failures.add(atMs, technicalFailure);
      this.sample(technicalFailure, nowMs, nowMs);
    }
  }

  private recordAnswer(
    kind: "approved" | "soft_declined" | "hard_declined",
    blame: Blame,
    count: number,
    atMs: number,
  ): void {
    const weighted = count * this.approvals.weightAt(atMs);
    this.approvals.add(APPROVALS.answered, weighted);
    if (kind === "hard_declined" || (kind === "soft_declined" && blame !== "provider")) return;
    const normal = count * this.normal.weightAt(atMs);
    this.approvals.add(APPROVALS.judged, weighted);
    this.normal.add(NORMAL.judged, normal);
    if (kind !== "approved") return;
    this.approvals.add(APPROVALS.approved, weighted);
    this.normal.add(NORMAL.approved, normal);
  }

  /**
   * One tick. The probed segments must have had theirs before. `everybodys` is the answer of the view without this
   * segment, for a segment without probes. Returns true if the snapshot changed.
   */
  tick(nowMs: number, updatedAt: string, everybodys: HealthSnapshot | null): boolean {
    this.technical.advance(nowMs);
    this.approvals.advance(nowMs);
    this.normal.advance(nowMs);
    this.testCircuit(nowMs);
    const known = knownSnapshot(this.probed?.latest ?? everybodys);
    if (known !== null && this.health === INITIAL_HEALTH) {
      this.health = { kind: "scored", state: known.state, trend: null, backoff: null };
    }
    const prior = known === null ? noPrior(this.approvalRateBaseline) : priorOf(known);
    const estimate = estimateLive(prior, this.counts());
    const { score, samples } = estimate;
    const lastSampleAtMs = known === null ? this.lastOutcomeMs : nowMs;
    const recent = this.recent(nowMs);
    this.health = step(this.health, { kind: "tick", score, samples, lastSampleAtMs, recent }, nowMs);
    return this.show(estimate, known, updatedAt);
  }

  /** What the segment has learnt, as of the last outcome. */
  toLearnt(): LearntSegment {
    return {
      key: this.key,
      technical: this.technical.toJSON(),
      approvals: this.approvals.toJSON(),
      normal: this.normal.toJSON(),
      health: this.health,
      lastOutcomeMs: this.lastOutcomeMs,
    };
  }

  restore({ technical, approvals, normal, health, lastOutcomeMs }: LearntSegment): void {
    this.technical.restore(technical);
    this.approvals.restore(approvals);
    this.normal.restore(normal);
    this.health = health;
    this.lastOutcomeMs = lastOutcomeMs;
  }

  private testCircuit(nowMs: number): void {
    if (this.circuitClosed) {
      this.isAnswered = false;
      return;
    }
    // The failures that opened the circuit have had their effect. If they stayed, the score would keep the traffic away
    // from a provider that works again.
    const isDue = this.health.kind !== "circuit_open" || nowMs >= this.health.untilMs;
    if (isDue && !this.isAnswered) this.technical.clear();
    this.isAnswered = isDue;
    for (const { atMs, technicalFailure } of this.guide.recentProbes)
      this.sample(technicalFailure, nowMs, atMs);
    if (!this.guide.hasProbes) this.health = closeUntested(this.health, nowMs);
  }

  private sample(technicalFailure: boolean, nowMs: number, atMs: number): void {
    this.health = step(this.health, { kind: "sample", technicalFailure, recent: this.recent(nowMs) }, atMs);
  }

  private show(estimate: LiveEstimate, known: ScoredSnapshot | null, updatedAt: string): boolean {
    const source = this.source(known);
    const ownState = shownState(this.health);
    const snapshot = createSnapshot({
      provider: this.guide.mock.provider,
      segmentKey: this.key,
      state: this.probed === null && known !== null ? worse(ownState, known.state) : ownState,
      measures: estimate.measures,
      score: estimate.score,
      samples: estimate.samples,
      source,
      updatedAt,
    });
    const before = this.latest;
    if (before !== null && isSame(before, snapshot)) return false;
    this.latest = snapshot;
    return true;
  }

  /** HLTH-16. A currency without probes counts as measured once its own outcomes are enough to score it. */
  private source(known: HealthSnapshot | null): HealthSource {
    if (known === null) return "live";
    const isMeasured = this.probed === null && Math.round(this.samples) >= HEALTH_LIMITS.classifySamplesMin;
    return isMeasured ? "live" : "partial";
  }

  private counts(): LiveCounts {
    const { technical, approvals, normal } = this;
    return {
      samples: this.samples,
      recent: technical.of(TECHNICAL.recent),
      timeouts: technical.of(TECHNICAL.timeout),
      errors5xx: technical.of(TECHNICAL.error_5xx),
      throttled429: technical.of(TECHNICAL.throttled_429),
      judged: approvals.of(APPROVALS.judged),
      approved: approvals.of(APPROVALS.approved),
      judgedBefore: normal.of(NORMAL.judged),
      approvedBefore: normal.of(NORMAL.approved),
    };
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
}

/** Null if nothing is known: no snapshot, or one in state unknown. */
function knownSnapshot(snapshot: HealthSnapshot | null): ScoredSnapshot | null {
  return snapshot === null || snapshot.state === "unknown" ? null : (snapshot as ScoredSnapshot);
}

function worse(state: HealthState, other: ScoredState): HealthState {
  return state !== "unknown" && stateRank(other) > stateRank(state) ? other : state;
}

/** True if `after` shows nothing new, and `before` is young enough to stand. */
function isSame(before: HealthSnapshot, after: HealthSnapshot): boolean {
  return (
    Date.parse(after.updated_at) - Date.parse(before.updated_at) < HEALTH_LIMITS.restateIntervalMs &&
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
