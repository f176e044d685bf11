import type { ProviderId } from "../../vocabulary/decision-request.js";
import type { HealthState, Mode } from "../../vocabulary/vocabulary.js";
import { latencyBin } from "../../statistics/latency-histogram.js";
import { HEALTH_LIMITS } from "../limits.js";
import { liveSampleKind, type LiveOutcomes } from "./live-outcome.js";
import type { LiveDetail } from "./live-level.js";
import { LiveSegment, type JudgedLevels, type LearntSegment, type LiveSegmentOwner } from "./live-segment.js";
import type { Market } from "./market.js";
import { Recoveries } from "./overcome.js";
import { OwnerSegments } from "./owner-segments.js";
import type { OutcomeAlertChange } from "./outcome-alert.js";
import { overlayChange, type OverlayStateChange } from "./state-change.js";
import type { ProbedSegments } from "../probed-segment.js";
import { parseSegmentKey, segmentKey, type HealthSnapshot } from "../snapshot.js";

/** An owner with changed snapshots. `countries` are the countries in which the snapshot of a level has changed. */
export interface ChangedOwner extends LiveSegmentOwner {
  countries: ReadonlySet<string>;
}

/**
 * HLTH-9: a live outcome changes only the view of its own workspace and mode. A segment stays here until its outcomes
 * have almost faded. Above `levelsMax`, the segment whose last outcome is the oldest is evicted with its levels.
 * HLTH-32 bounds the levels of one owner.
 *
 * A tick judges the hot segments: those with new outcomes, and those whose state can change without outcomes. It judges
 * all segments if the probes' states change, and every 10 s because counts fade. The cost of a tick therefore depends
 * on the number of events since the last one, not on the number of segments.
 */
export class LiveOverlays {
  /** The segments, the one with the oldest last outcome first. */
  private readonly segments = new Set<LiveSegment>();
  private readonly byOwner = new Map<string, OwnerSegments>();
  private readonly shown = new Map<LiveSegment, HealthState>();
  /** The segments that the next tick judges even if it does not judge all. */
  private readonly hot = new Set<LiveSegment>();
  private changed = new Map<string, LiveSegmentOwner & { countries: Set<string> }>();
  private pendingChanges: OverlayStateChange[] = [];
  private pendingAlerts: OutcomeAlertChange[] = [];
  private fadedAt = -Infinity;
  private readonly recoveries = new Recoveries();
  /** The number of segments and levels of all owners. */
  private levels = 0;

  constructor(
    private readonly probed: ProbedSegments,
    private readonly levelsMax: number = HEALTH_LIMITS.levelsMax,
    private readonly ownerLevelsMax: number = HEALTH_LIMITS.ownerLevelsMax,
  ) {}

  get size(): number {
    return this.segments.size;
  }

  /** Returns false if the outcomes are too old, or say nothing about a configured provider. */
  record(outcome: LiveOutcomes, nowMs: number): boolean {
    const kind = liveSampleKind(outcome.outcome, outcome.technicalFailureType);
    const atMs = Math.min(outcome.atMs, nowMs);
    if (kind === null || nowMs - atMs >= HEALTH_LIMITS.staleMs) return false;

    const key = segmentKey(outcome.provider, outcome.paymentMethod, outcome.currency);
    const segment = this.find(outcome, key) ?? this.create(outcome, key);
    if (segment === null) return false;
    const owned = this.keep(segment);
    const { blame, latencyMs, count } = outcome;
    const levels = segment.levels;
    segment.record({ kind, blame, latencyBin: latencyBin(latencyMs), atMs, count }, outcome, nowMs);
    this.count(owned, segment.levels - levels);
    while (owned.levels > this.ownerLevelsMax && this.evictLevel(owned)) continue;
    this.makeRoom();
    return true;
  }

  /** Judges the hot segments, or all. Returns the changes since the previous tick, including evictions. */
  tick(nowMs: number, probesChanged: boolean): OverlayStateChange[] {
    const updatedAt = new Date(nowMs).toISOString();
    const fading = Math.floor(nowMs / HEALTH_LIMITS.fadeIntervalMs);
    const isFading = fading !== this.fadedAt;
    const all = probesChanged || isFading;
    this.fadedAt = fading;
    const recovering = this.recoveries.look(isFading ? this.byOwner.values() : null, nowMs);
    for (const segment of recovering) this.hot.add(segment);
    const judged = all ? [...this.segments] : this.takeHot();
    for (const segment of judged) this.marketOf(segment)?.excuse(segment, all, nowMs);
    // Segments outside PROBE_CURRENCIES are judged last, because their priors use the configured segments of this view.
    const extent = (segment: LiveSegment): JudgedLevels => {
      if (all) return "all";
      return recovering.has(segment) ? "all if the segment moved" : "hot";
    };
    for (const segment of judged)
      if (segment.isConfigured) this.judge(segment, extent(segment), nowMs, updatedAt);
    for (const segment of judged)
      if (!segment.isConfigured) this.judge(segment, extent(segment), nowMs, updatedAt);
    for (const market of new Set(judged.map((segment) => this.marketOf(segment))))
      this.pendingAlerts.push(...(market?.assess(nowMs) ?? []));
    const changes = this.pendingChanges;
    this.pendingChanges = [];
    return changes;
  }

  /** Returns the alert changes of ALRT-15 to ALRT-17 since the last call. */
  takeAlerts(): OutcomeAlertChange[] {
    const alerts = this.pendingAlerts;
    this.pendingAlerts = [];
    return alerts;
  }

  /** The snapshots with which a workspace and mode replace those of the probes, as of the last tick. */
  snapshots(workspaceId: string, mode: Mode): HealthSnapshot[] {
    const snapshots: HealthSnapshot[] = [];
    for (const { top } of this.segmentsOf(workspaceId, mode))
      if (top.latest !== null) snapshots.push(top.latest);
    return snapshots;
  }

  /** The snapshots of an owner's levels in one country, as of the last tick. */
  levelSnapshots(workspaceId: string, mode: Mode, country: string): HealthSnapshot[] {
    return [...this.segmentsOf(workspaceId, mode)].flatMap((segment) => segment.snapshotsOf(country));
  }

  /** The countries for which an owner has levels. */
  countriesOf(workspaceId: string, mode: Mode): ReadonlySet<string> {
    const countries = new Set<string>();
    for (const segment of this.segmentsOf(workspaceId, mode))
      for (const country of segment.tree.countries()) countries.add(country);
    return countries;
  }

  /** Every workspace and mode with an overlay. */
  owners(): LiveSegmentOwner[] {
    return [...this.byOwner.values()].map(({ owner }) => owner);
  }

  /** The owners whose counts change without outcomes, because they get over something (HLTH-35). */
  recovering(): LiveSegmentOwner[] {
    return Array.from(this.recoveries.owners(), ({ owner }) => owner);
  }

  /** The owners whose snapshots have changed since the last call. */
  takeChangedOwners(): ChangedOwner[] {
    const owners = [...this.changed.values()];
    this.changed = new Map();
    return owners;
  }

  /** Returns an owner's segments in their stored form. */
  learntBy(workspaceId: string, mode: Mode): LearntSegment[] {
    return [...this.segmentsOf(workspaceId, mode)].map((segment) => segment.toLearnt());
  }

  /** Returns a summary of each level of an owner for people. */
  details(workspaceId: string, mode: Mode): LiveDetail[] {
    return [...this.segmentsOf(workspaceId, mode)].flatMap((segment) => segment.details());
  }

  /** Restores an owner's segments from their stored form. Segments of unconfigured providers are left out. */
  restore(owner: LiveSegmentOwner, learnt: readonly LearntSegment[]): void {
    for (const one of learnt) {
      const { provider, paymentMethod } = parseSegmentKey(one.key);
      const segment = this.create({ ...owner, provider, paymentMethod }, one.key);
      if (segment === null) continue;
      segment.restore(one);
      this.count(this.keep(segment), segment.levels - 1);
    }
    this.makeRoom();
  }

  /** Returns the hot segments, and the segments of other providers that the same outcomes affect. */
  private takeHot(): LiveSegment[] {
    // A `for…of` over a Set also visits members added in the loop, so it ends when no segment affects another.
    for (const segment of this.hot)
      for (const other of this.marketOf(segment)?.spread(segment) ?? []) this.hot.add(other);
    const judged = [...this.hot];
    this.hot.clear();
    return judged;
  }

  private marketOf(segment: LiveSegment): Market | undefined {
    return this.byOwner.get(segment.ownerKey)?.marketOf(segment);
  }

  private judge(segment: LiveSegment, extent: JudgedLevels, nowMs: number, updatedAt: string): void {
    const { top, owner } = segment;
    const levels = segment.levels;
    const owned = this.byOwner.get(segment.ownerKey);
    const everybodys = segment.isConfigured || owned === undefined ? null : owned.answerFor(segment);
    const { changed, countries } = segment.tick(nowMs, updatedAt, everybodys, extent);
    if (owned !== undefined) this.count(owned, segment.levels - levels);
    if (changed || countries.size > 0) this.noteChanged(owner, segment.ownerKey, countries);
    if (segment.isForgotten(nowMs)) {
      this.evict(segment);
      return;
    }
    if (segment.isMoving) this.hot.add(segment);
    const from = this.shown.get(segment) ?? "unknown";
    if (from === top.state) return;
    this.shown.set(segment, top.state);
    this.pendingChanges.push(overlayChange(segment, from, top.state, top.latest?.reason_codes ?? []));
  }

  private segmentsOf(workspaceId: string, mode: Mode): Iterable<LiveSegment> {
    return this.byOwner.get(ownerKey(workspaceId, mode))?.byKey.values() ?? [];
  }

  private find({ workspaceId, mode }: LiveSegmentOwner, key: string): LiveSegment | undefined {
    return this.byOwner.get(ownerKey(workspaceId, mode))?.byKey.get(key);
  }

  private create(
    from: LiveSegmentOwner & { provider: ProviderId; paymentMethod: string },
    key: string,
  ): LiveSegment | null {
    const [first, ...rest] = this.probed.siblings(from.provider, from.paymentMethod);
    if (first === undefined) return null;
    const owner = { workspaceId: from.workspaceId, mode: from.mode };
    const named = ownerKey(owner.workspaceId, owner.mode);
    return new LiveSegment(owner, named, key, this.probed.find(key) ?? null, [first, ...rest]);
  }

  /** Moves a segment to the end of the eviction order. */
  private keep(segment: LiveSegment): OwnerSegments {
    this.segments.delete(segment);
    this.segments.add(segment);
    this.hot.add(segment);
    let owned = this.byOwner.get(segment.ownerKey);
    if (owned === undefined) {
      owned = new OwnerSegments(segment.owner);
      this.byOwner.set(segment.ownerKey, owned);
    }
    if (!this.shown.has(segment)) {
      this.shown.set(segment, segment.probed?.state ?? "unknown");
      owned.add(segment);
      this.count(owned, 1);
    }
    return owned;
  }

  private count(owned: OwnerSegments, levels: number): void {
    owned.levels += levels;
    this.levels += levels;
  }

  private makeRoom(): void {
    // Each new iterator of a Set walks over the places of members deleted since the Set last grew. So make one only
    // above the limit.
    if (this.levels <= this.levelsMax) return;
    for (const oldest of this.segments) {
      if (this.levels <= this.levelsMax) return;
      this.evict(oldest);
    }
  }

  private evict(segment: LiveSegment): void {
    this.noteChanged(segment.owner, segment.ownerKey, segment.tree.countries());
    this.segments.delete(segment);
    this.hot.delete(segment);
    const owned = this.byOwner.get(segment.ownerKey);
    if (owned?.byKey.get(segment.key) === segment) {
      this.pendingAlerts.push(...owned.remove(segment));
      this.count(owned, -segment.levels);
    }
    if (owned?.byKey.size === 0) this.byOwner.delete(segment.ownerKey);

    const from = this.shown.get(segment) ?? "unknown";
    const to = segment.probed?.state ?? "unknown";
    this.shown.delete(segment);
    // The end of a view is reported even if the probes show the same state, because the view's alerts must close.
    this.pendingChanges.push(overlayChange(segment, from, to, []));
  }

  /**
   * HLTH-32: removes the owner's level whose last outcome is the oldest. The level above then judges its payments.
   * Returns false if the owner has no level.
   */
  private evictLevel(owned: OwnerSegments): boolean {
    const oldest = owned.withOldestLevel();
    if (oldest === null) return false;
    const { levels } = oldest;
    const country = oldest.tree.evictOldest();
    this.count(owned, oldest.levels - levels);
    this.noteChanged(owned.owner, oldest.ownerKey, country === null ? NO_COUNTRIES : new Set([country]));
    return oldest.levels < levels;
  }

  private noteChanged(owner: LiveSegmentOwner, named: string, countries: ReadonlySet<string>): void {
    const known = this.changed.get(named);
    if (known === undefined) this.changed.set(named, { ...owner, countries: new Set(countries) });
    else for (const country of countries) known.countries.add(country);
  }
}

const NO_COUNTRIES: ReadonlySet<string> = new Set();
/** Modes contain no colon, so the pair is unambiguous. */
function ownerKey(workspaceId: string, mode: Mode): string {
  return `${mode}:${workspaceId}`;
}
