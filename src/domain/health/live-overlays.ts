import type { ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState, Mode } from "../vocabulary/vocabulary.js";
import { HEALTH_LIMITS } from "./limits.js";
import { liveSampleKind, type LiveOutcomes } from "./live-outcome.js";
import { LiveSegment, type LearntSegment, type LiveSegmentOwner } from "./live-segment.js";
import type { ProbedSegment } from "./probed-segment.js";
import { aggregateSegments } from "./segment-aggregate.js";
import { parseSegmentKey, segmentKey, type HealthSnapshot } from "./snapshot.js";

/** The state that a segment shows has changed since the tick before. */
export interface StateChange {
  segment_key: string;
  provider: ProviderId;
  from: HealthState;
  to: HealthState;
  reason_codes: string[];
}

/** A change in the view of one workspace and mode. Without reason codes it is the end of that view. */
export interface OverlayStateChange extends StateChange {
  workspaceId: string;
  mode: Mode;
}

/**
 * Finds the probed segments that an outcome belongs to. `siblings` is empty if the provider or method is not
 * configured.
 */
export interface ProbedSegments {
  find(key: string): ProbedSegment | undefined;
  siblings(provider: ProviderId, paymentMethod: string): readonly ProbedSegment[];
}

/**
 * HLTH-9: live outcomes change only the view of their own workspace and mode. A segment stays here until what is left of
 * its outcomes says nothing. Beyond `segmentsMax`, the segment without an outcome for the longest time is evicted.
 *
 * A tick judges the segments with news: those with outcomes, those whose state is about to change, and all when the
 * probes' own states change. The others only fade, and are judged every 10 s. So a tick costs what happened since the
 * last one, and not what is known.
 */
export class LiveOverlays {
  /** The segments, ordered by their last outcomes. */
  private readonly segments = new Set<LiveSegment>();
  private readonly byOwner = new Map<string, Map<string, LiveSegment>>();
  private readonly shown = new Map<LiveSegment, HealthState>();
  /** The segments that the next tick judges in any case. */
  private readonly hot = new Set<LiveSegment>();
  private changedOwners = new Map<string, LiveSegmentOwner>();
  private pendingChanges: OverlayStateChange[] = [];
  private fadedAt = -Infinity;

  constructor(
    private readonly probed: ProbedSegments,
    private readonly segmentsMax: number = HEALTH_LIMITS.overlaySegmentsMax,
  ) {}

  get size(): number {
    return this.segments.size;
  }

  /** False if the outcomes say nothing about the health of a configured provider, or are too old. */
  record(outcome: LiveOutcomes, nowMs: number): boolean {
    const kind = liveSampleKind(outcome.outcome, outcome.technicalFailureType);
    const atMs = Math.min(outcome.atMs, nowMs);
    if (kind === null || nowMs - atMs >= HEALTH_LIMITS.staleMs) return false;

    const key = segmentKey(outcome.provider, outcome.paymentMethod, outcome.currency);
    const segment = this.find(outcome, key) ?? this.create(outcome, key);
    if (segment === null) return false;
    segment.record({ kind, blame: outcome.blame, atMs, count: outcome.count }, nowMs);
    this.keep(segment);
    return true;
  }

  /** Judges the segments with news. Returns the changes since the tick before, including evictions. */
  tick(nowMs: number, probesChanged: boolean): OverlayStateChange[] {
    const updatedAt = new Date(nowMs).toISOString();
    const fading = Math.floor(nowMs / HEALTH_LIMITS.fadeIntervalMs);
    const all = probesChanged || fading !== this.fadedAt;
    this.fadedAt = fading;
    const judged = all ? [...this.segments] : [...this.hot];
    this.hot.clear();
    // Other currencies than those of PROBE_CURRENCIES are judged last, because they build on these.
    for (const segment of judged) if (segment.isConfigured) this.judge(segment, nowMs, updatedAt);
    for (const segment of judged) if (!segment.isConfigured) this.judge(segment, nowMs, updatedAt);
    const changes = this.pendingChanges;
    this.pendingChanges = [];
    return changes;
  }

  /** The snapshots in which a workspace and mode differ from the probes, as of the last tick. */
  snapshots(workspaceId: string, mode: Mode): HealthSnapshot[] {
    const ownerSegments = this.byOwner.get(ownerKey(workspaceId, mode));
    if (ownerSegments === undefined) return [];
    const snapshots: HealthSnapshot[] = [];
    for (const { latest } of ownerSegments.values()) if (latest !== null) snapshots.push(latest);
    return snapshots;
  }

  /** Every workspace and mode with an overlay. */
  owners(): LiveSegmentOwner[] {
    const owners: LiveSegmentOwner[] = [];
    for (const ownerSegments of this.byOwner.values())
      for (const segment of firstOf(ownerSegments.values())) owners.push(segment.owner);
    return owners;
  }

  /** The owners whose snapshots have changed since the last call. */
  takeChangedOwners(): LiveSegmentOwner[] {
    const owners = [...this.changedOwners.values()];
    this.changedOwners = new Map();
    return owners;
  }

  /** What one owner's segments have learnt. */
  learntBy(workspaceId: string, mode: Mode): LearntSegment[] {
    const ownerSegments = this.byOwner.get(ownerKey(workspaceId, mode)) ?? new Map<string, LiveSegment>();
    return [...ownerSegments.values()].map((segment) => segment.toLearnt());
  }

  /** Takes over what an owner's segments had learnt. Segments of providers that are not configured are left out. */
  restore(owner: LiveSegmentOwner, learnt: readonly LearntSegment[]): void {
    for (const one of learnt) {
      const { provider, paymentMethod } = parseSegmentKey(one.key);
      const segment = this.create({ ...owner, provider, paymentMethod }, one.key);
      if (segment === null) continue;
      segment.restore(one);
      this.keep(segment);
    }
  }

  private judge(segment: LiveSegment, nowMs: number, updatedAt: string): void {
    const changed = segment.tick(nowMs, updatedAt, segment.isConfigured ? null : this.answerFor(segment));
    const isOver = segment.samples < HEALTH_LIMITS.forgottenSamplesMax && segment.circuitClosed;
    if (isOver && nowMs - segment.lastOutcomeMs >= HEALTH_LIMITS.staleMs) {
      this.evict(segment);
      return;
    }
    if (segment.isMoving) this.hot.add(segment);
    if (changed) this.changedOwners.set(segment.ownerKey, segment.owner);
    const from = this.shown.get(segment) ?? "unknown";
    if (from === segment.state) return;
    this.shown.set(segment, segment.state);
    this.pendingChanges.push(change(segment, from, segment.state, segment.latest?.reason_codes ?? []));
  }

  /** HLTH-17: the answer of a segment's provider and method in this view, for a currency outside PROBE_CURRENCIES. */
  private answerFor(segment: LiveSegment): HealthSnapshot {
    const { key, siblings } = segment;
    const ownerSegments = this.byOwner.get(segment.ownerKey);
    const shown: HealthSnapshot[] = [];
    for (const { key: siblingKey, latest } of siblings) {
      const snapshot = ownerSegments?.get(siblingKey)?.latest ?? latest;
      if (snapshot !== null) shown.push(snapshot);
    }
    const { provider } = parseSegmentKey(key);
    return aggregateSegments(provider, key, shown, shown[0]?.updated_at ?? UNIX_EPOCH);
  }

  private find({ workspaceId, mode }: LiveSegmentOwner, key: string): LiveSegment | undefined {
    return this.byOwner.get(ownerKey(workspaceId, mode))?.get(key);
  }

  private create(
    from: LiveSegmentOwner & { provider: ProviderId; paymentMethod: string },
    key: string,
  ): LiveSegment | null {
    const [first, ...rest] = this.probed.siblings(from.provider, from.paymentMethod);
    if (first === undefined) return null;
    const owner = { workspaceId: from.workspaceId, mode: from.mode };
    return new LiveSegment(
      owner,
      ownerKey(owner.workspaceId, owner.mode),
      key,
      this.probed.find(key) ?? null,
      [first, ...rest],
    );
  }

  /** Puts a segment last in line for eviction. */
  private keep(segment: LiveSegment): void {
    const owner = segment.ownerKey;
    this.segments.delete(segment);
    this.segments.add(segment);
    this.hot.add(segment);
    if (!this.shown.has(segment)) {
      this.shown.set(segment, segment.probed?.state ?? "unknown");
      const ownerSegments = this.byOwner.get(owner);
      if (ownerSegments === undefined) this.byOwner.set(owner, new Map([[segment.key, segment]]));
      else ownerSegments.set(segment.key, segment);
    }
    if (this.segments.size > this.segmentsMax)
      for (const oldest of firstOf(this.segments.values())) this.evict(oldest);
  }

  private evict(segment: LiveSegment): void {
    const owner = segment.ownerKey;
    this.segments.delete(segment);
    this.hot.delete(segment);
    const ownerSegments = this.byOwner.get(owner);
    ownerSegments?.delete(segment.key);
    if (ownerSegments?.size === 0) this.byOwner.delete(owner);
    this.changedOwners.set(owner, segment.owner);

    const from = this.shown.get(segment) ?? "unknown";
    const to = segment.probed?.state ?? "unknown";
    this.shown.delete(segment);
    // The end is reported even if the probes show the same state, because alerts of this view end with it.
    this.pendingChanges.push(change(segment, from, to, []));
  }
}

const UNIX_EPOCH = "1970-01-01T00:00:00.000Z";

function change(
  segment: LiveSegment,
  from: HealthState,
  to: HealthState,
  reasonCodes: string[],
): OverlayStateChange {
  const { provider } = parseSegmentKey(segment.key);
  return { ...segment.owner, segment_key: segment.key, provider, from, to, reason_codes: reasonCodes };
}

/** Modes contain no colon, so the pair is unambiguous. */
function ownerKey(workspaceId: string, mode: Mode): string {
  return `${mode}:${workspaceId}`;
}

function firstOf(segments: Iterator<LiveSegment, undefined>): LiveSegment[] {
  const { value } = segments.next();
  return value === undefined ? [] : [value];
}
