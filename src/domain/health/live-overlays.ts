import type { ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState, Mode } from "../vocabulary/vocabulary.js";
import { HEALTH_LIMITS } from "./limits.js";
import { liveSampleKind, type LiveOutcomes } from "./live-outcome.js";
import { LiveSegment, type LiveSegmentOwner } from "./live-segment.js";
import type { ProbedSegment } from "./probed-segment.js";
import { segmentKey, type HealthSnapshot } from "./snapshot.js";

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
 * HLTH-9: live outcomes change only the view of their own workspace and mode. A segment stays here while its window
 * holds an outcome or its circuit is not closed. Beyond `segmentsMax`, the segment without an outcome for the longest
 * time is evicted.
 */
export class LiveOverlays {
  /** The segments, ordered by their last outcomes. */
  private readonly segments = new Map<string, LiveSegment>();
  private readonly byOwner = new Map<string, Map<string, LiveSegment>>();
  private readonly shown = new Map<LiveSegment, HealthState>();
  private pendingChanges: OverlayStateChange[] = [];

  constructor(
    private readonly probed: ProbedSegments,
    private readonly segmentsMax: number = HEALTH_LIMITS.overlaySegmentsMax,
  ) {}

  get size(): number {
    return this.segments.size;
  }

  /** False if the outcomes say nothing about the health of a configured provider, or are older than the window. */
  record(outcome: LiveOutcomes, nowMs: number): boolean {
    const kind = liveSampleKind(outcome.outcome, outcome.technicalFailureType);
    const atMs = Math.min(outcome.atMs, nowMs);
    if (kind === null || nowMs - atMs >= HEALTH_LIMITS.windowMs) return false;

    const key = segmentKey(outcome.provider, outcome.paymentMethod, outcome.currency);
    const owner = ownerKey(outcome.workspaceId, outcome.mode);
    const id = `${owner}:${key}`;
    const segment = this.segments.get(id) ?? this.create(outcome, key);
    if (segment === null) return false;
    for (let i = 0; i < outcome.count; i++) {
      if (!segment.record(kind, outcome.latencyMs, atMs, nowMs)) return false;
    }

    this.segments.delete(id);
    this.segments.set(id, segment);
    if (!this.shown.has(segment)) this.admit(owner, segment);
    if (this.segments.size > this.segmentsMax) this.evictOldest();
    return true;
  }

  /** Ticks every overlay. Returns the changes since the tick before, including evictions. */
  tick(nowMs: number): OverlayStateChange[] {
    const updatedAt = new Date(nowMs).toISOString();
    for (const segment of this.segments.values()) {
      segment.tick(nowMs);
      const drained = segment.window.samples === 0 && segment.circuitClosed;
      if (drained || nowMs - segment.lastOutcomeMs >= HEALTH_LIMITS.overlayIdleMs) {
        this.evict(segment);
        continue;
      }
      const from = this.shown.get(segment) ?? "unknown";
      if (from === segment.state) continue;
      this.shown.set(segment, segment.state);
      this.pendingChanges.push(
        change(segment, from, segment.state, segment.snapshot(updatedAt).reason_codes),
      );
    }
    const changes = this.pendingChanges;
    this.pendingChanges = [];
    return changes;
  }

  /**
   * The snapshots in which a workspace and mode differ from the probes. A segment that is not probed appears once its
   * own outcomes can be scored. Until then the provider's answer for the method is better.
   */
  snapshots(workspaceId: string, mode: Mode, updatedAt: string): HealthSnapshot[] {
    const ownerSegments = this.byOwner.get(ownerKey(workspaceId, mode));
    if (ownerSegments === undefined) return [];
    const snapshots: HealthSnapshot[] = [];
    for (const segment of ownerSegments.values()) {
      if (segment.probed === null && segment.state === "unknown") continue;
      snapshots.push(segment.snapshot(updatedAt));
    }
    return snapshots;
  }

  /** Every workspace and mode with an overlay. */
  owners(): LiveSegmentOwner[] {
    const owners: LiveSegmentOwner[] = [];
    for (const ownerSegments of this.byOwner.values())
      for (const segment of firstOf(ownerSegments)) owners.push(segment.owner);
    return owners;
  }

  private create(outcome: LiveOutcomes, key: string): LiveSegment | null {
    const [first, ...rest] = this.probed.siblings(outcome.provider, outcome.paymentMethod);
    if (first === undefined) return null;
    const owner = { workspaceId: outcome.workspaceId, mode: outcome.mode };
    return new LiveSegment(owner, key, this.probed.find(key) ?? null, [first, ...rest]);
  }

  private admit(owner: string, segment: LiveSegment): void {
    this.shown.set(segment, segment.probed?.state ?? "unknown");
    const ownerSegments = this.byOwner.get(owner);
    if (ownerSegments === undefined) this.byOwner.set(owner, new Map([[segment.key, segment]]));
    else ownerSegments.set(segment.key, segment);
  }

  private evictOldest(): void {
    for (const segment of firstOf(this.segments)) this.evict(segment);
  }

  private evict(segment: LiveSegment): void {
    const owner = ownerKey(segment.owner.workspaceId, segment.owner.mode);
    this.segments.delete(`${owner}:${segment.key}`);
    const ownerSegments = this.byOwner.get(owner);
    ownerSegments?.delete(segment.key);
    if (ownerSegments?.size === 0) this.byOwner.delete(owner);

    const from = this.shown.get(segment) ?? "unknown";
    const to = segment.probed?.state ?? "unknown";
    this.shown.delete(segment);
    // The end is reported even if the probes show the same state, because alerts of this view end with it.
    this.pendingChanges.push(change(segment, from, to, []));
  }
}

function change(
  segment: LiveSegment,
  from: HealthState,
  to: HealthState,
  reasonCodes: string[],
): OverlayStateChange {
  const provider = segment.key.slice(0, segment.key.indexOf(":"));
  return { ...segment.owner, segment_key: segment.key, provider, from, to, reason_codes: reasonCodes };
}

/** Modes contain no colon, so the pair is unambiguous. */
function ownerKey(workspaceId: string, mode: Mode): string {
  return `${mode}:${workspaceId}`;
}

function firstOf(segments: ReadonlyMap<string, LiveSegment>): LiveSegment[] {
  const { value } = segments.values().next();
  return value === undefined ? [] : [value];
}
