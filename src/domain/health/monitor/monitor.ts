import type { ProviderId } from "../../vocabulary/decision-request.js";
import { MODES, type HealthState, type Mode, type PaymentMethod } from "../../vocabulary/vocabulary.js";
import type { Incident } from "../incident.js";
import { HEALTH_LIMITS } from "../limits.js";
import type { LiveOutcomes } from "./live-outcome.js";
import { LiveOverlays, type ChangedOwner } from "./live-overlays.js";
import type { OverlayStateChange } from "./state-change.js";
import type { LiveDetail } from "./live-level.js";
import type { LearntSegment, LiveSegmentOwner } from "./live-segment.js";
import { MockSegment } from "../mock-provider.js";
import { pinOverlay } from "../pinned-overlay.js";
import { changesSince, type HealthTick } from "./health-tick.js";
import type { OutcomeAlertChange } from "./outcome-alert.js";
import { indexSegments, ProbedSegment } from "../probed-segment.js";
import {
  findOverride,
  overridesIn,
  unexpiredOverrides,
  type ProviderOverride,
} from "../provider-override.js";
import { reportOverlay, type ProviderReports } from "../provider-report.js";
import { ReportedStates, type ReportedView } from "./reported-states.js";
import { parseSegmentKey, type HealthSnapshot } from "../snapshot.js";

/** `recall` replays in steps of this length, the default interval of ticks (PROBE_INTERVAL_MS). */
const RECALL_STEP_MS = 1000;

export interface HealthMonitorOptions {
  providers: readonly ProviderId[];
  paymentMethods: readonly PaymentMethod[];
  currencies: readonly string[];
  /** 32 bits. The same seed gives the same probes at the same times. */
  seed: number;
  incidents?: readonly Incident[];
  /** True by default. If false, only outcomes, reports and pins are evidence about a segment (HLTH-26). */
  hasProbes?: boolean;
}

/** What the monitor has learnt from one workspace's outcomes in one mode, in its stored form. */
export interface LearntView extends LiveSegmentOwner {
  segments: LearntSegment[];
}

/**
 * The core of the prober. It advances the mock providers, adds live outcomes, and runs the state machines. More
 * frequent ticks show a change sooner, but measure the same (HLTH-8).
 */
export class HealthMonitor {
  private readonly mocks: readonly MockSegment[];
  private incidents: readonly Incident[];
  private readonly overrides = new Map<string, readonly ProviderOverride[]>();
  private readonly reports = new Map<string, ProviderReports>();
  private segments: readonly ProbedSegment[] = [];
  private overlays: LiveOverlays | null = null;
  private snapshots: readonly HealthSnapshot[] = [];
  private nowMs = -Infinity;
  private readonly reportedStates = new ReportedStates();
  /** The current views with reports, by owner. Alerts and the overlay share them. */
  private readonly reportedViews = new Map<string, ReportedView>();
  /** The workspaces whose pins or reports have ended since the last `takeChangedOwners`. */
  private readonly released = new Set<string>();

  constructor(private readonly options: HealthMonitorOptions) {
    const { providers, paymentMethods, currencies, seed } = options;
    this.incidents = options.incidents ?? [];
    this.mocks = [...providers.entries()].flatMap(([position, provider]) =>
      paymentMethods.flatMap((method) =>
        currencies.map((currency) => new MockSegment(seed, provider, position, method, currency)),
      ),
    );
  }

  /**
   * Starts with the probes of the last 300 s, so that every segment has a confident snapshot. The tick reports every
   * state as a change from unknown.
   */
  warmUp(nowMs: number): HealthTick {
    const beginMs = nowMs - HEALTH_LIMITS.windowMs;
    this.segments = this.mocks.map((mock) => new ProbedSegment(mock, beginMs, this.options.hasProbes));
    this.overlays = new LiveOverlays(indexSegments(this.segments));
    this.reportedStates.reset();
    return { ...this.advance(nowMs), restarted: true };
  }

  /**
   * Advances to `nowMs`. If the clock goes back by more than a bucket, the monitor warms up again and forgets all
   * outcomes. After a smaller step back, the monitor's time stands still until the clock has caught up.
   */
  tick(nowMs: number): HealthTick {
    if (nowMs < this.nowMs - HEALTH_LIMITS.bucketMs || this.overlays === null) return this.warmUp(nowMs);
    return this.advance(Math.max(nowMs, this.nowMs));
  }

  /** Adds outcomes to their owner's view. Returns false if they are too old, or say nothing about a known provider. */
  recordOutcomes(outcomes: LiveOutcomes, nowMs: number): boolean {
    this.reportedViews.clear();
    return this.overlays?.record(outcomes, Math.max(nowMs, this.nowMs)) ?? false;
  }

  /**
   * Restores the stored views, and replays all outcomes and probes since they were stored, second by second. States,
   * hysteresis and circuits are then as if the monitor had never stopped. The changes are returned as those of one
   * tick.
   */
  recall(outcomes: readonly LiveOutcomes[], learnt: readonly LearntView[] = []): HealthTick {
    const { nowMs } = this;
    // Most starts have nothing to replay. Without outcomes, replaying the probes would give the same result again.
    if (outcomes.length === 0 && learnt.length === 0 && this.learningOwners().length === 0)
      return this.advance(nowMs);
    const ordered = outcomes.toSorted((a, b) => a.atMs - b.atMs);
    const firstMs = ordered[0]?.atMs ?? nowMs;
    const before = new Map(this.segments.map((segment) => [segment.key, segment.state]));
    const overlaid = new Map<string, OverlayStateChange>();
    const alerts: OutcomeAlertChange[] = [];
    let next = 0;
    const beginMs = Math.max(firstMs, nowMs - HEALTH_LIMITS.windowMs) - RECALL_STEP_MS;
    this.warmUp(beginMs);
    for (const { workspaceId, mode, segments } of learnt)
      this.overlays?.restore({ workspaceId, mode }, segments);
    for (let atMs = beginMs + RECALL_STEP_MS; ; atMs = Math.min(atMs + RECALL_STEP_MS, nowMs)) {
      for (; next < ordered.length; next++) {
        const observed = ordered[next] as LiveOutcomes;
        if (observed.atMs > atMs && atMs < nowMs) break;
        this.recordOutcomes(observed, atMs);
      }
      const { overlayChanges, alerts: changed } = this.advance(atMs);
      alerts.push(...changed);
      for (const change of overlayChanges) {
        const key = `${change.mode}:${change.workspaceId}:${change.segment_key}`;
        overlaid.set(key, { ...change, from: overlaid.get(key)?.from ?? change.from });
      }
      if (atMs >= nowMs) break;
    }
    return {
      restarted: false,
      snapshots: this.snapshots,
      changedStates: changesSince(before, this.snapshots),
      overlayChanges: [...overlaid.values()].filter(({ from, to }) => from !== to),
      alerts,
    };
  }

  /** The workspaces and modes with outcomes. With `recovering`, only those with a recovery in progress (HLTH-35). */
  learningOwners(recovering = false): LiveSegmentOwner[] {
    return (recovering ? this.overlays?.recovering() : this.overlays?.owners()) ?? [];
  }

  /** Returns the knowledge of one workspace and mode, in the form that `recall` takes. */
  learntBy(workspaceId: string, mode: Mode): LearntView {
    return { workspaceId, mode, segments: this.overlays?.learntBy(workspaceId, mode) ?? [] };
  }

  /** Replaces a workspace's pins. A pin ends at the first tick at or after its expiry time. */
  setOverrides(workspaceId: string, overrides: readonly ProviderOverride[]): void {
    if (overrides.length === 0) {
      this.overrides.delete(workspaceId);
      this.released.add(workspaceId);
    } else this.overrides.set(workspaceId, overrides);
  }

  /**
   * Replaces the provider reports of all workspaces. Reports apply in both modes. Returns the resulting changes at
   * once, like a tick. Before the first tick, it returns no changes.
   */
  setReports(workspaces: readonly (ProviderReports & { workspaceId: string })[]): HealthTick {
    for (const workspaceId of this.reports.keys()) this.released.add(workspaceId);
    this.reports.clear();
    for (const { workspaceId, lags, incidents } of workspaces)
      this.reports.set(workspaceId, { lags, incidents });
    this.reportedViews.clear();
    const { snapshots } = this;
    return {
      restarted: false,
      snapshots,
      changedStates: [],
      overlayChanges: this.reportedChanges(),
      alerts: [],
    };
  }

  /** Replaces the scripted incidents. Past probes keep their results. */
  setIncidents(incidents: readonly Incident[]): void {
    this.incidents = incidents;
  }

  /**
   * Returns the snapshots in which a workspace and mode differ from the probes. Reports change the snapshots that
   * outcomes and probes gave. Pins are applied last.
   */
  overlay(workspaceId: string, mode: Mode): readonly HealthSnapshot[] {
    if (this.snapshots.length === 0) return [];
    const reports = this.reports.get(workspaceId);
    const live =
      reports === undefined
        ? (this.overlays?.snapshots(workspaceId, mode) ?? [])
        : this.reportedView(workspaceId, mode, reports).reported;
    const overrides = overridesIn(this.overrides.get(workspaceId) ?? [], mode);
    if (overrides.length === 0) return live;
    return pinOverlay(this.snapshots, live, overrides, this.options.paymentMethods);
  }

  /**
   * Returns the owners whose overlay can have changed since the last call. Owners with pins or reports are always
   * included, because the probes of each tick change their overlays.
   */
  takeChangedOwners(): ChangedOwner[] {
    const changed = new Map<string, ChangedOwner>();
    const note = (owner: ChangedOwner): unknown => changed.set(`${owner.mode}:${owner.workspaceId}`, owner);
    for (const owner of this.overlays?.takeChangedOwners() ?? []) note(owner);
    for (const workspaceId of [...this.overrides.keys(), ...this.reports.keys(), ...this.released])
      for (const mode of MODES)
        note({ workspaceId, mode, countries: this.levelCountries(workspaceId, mode) });
    this.released.clear();
    return [...changed.values()];
  }

  /** HLTH-32: the countries for which a workspace and mode have levels. */
  levelCountries(workspaceId: string, mode: Mode): ReadonlySet<string> {
    return this.overlays?.countriesOf(workspaceId, mode) ?? new Set();
  }

  /**
   * HLTH-32: returns the levels of one country, below the segments of `overlay`. A reported incident applies to levels
   * too. A pinned segment has no levels, because its pin overrides all measurements.
   */
  levels(workspaceId: string, mode: Mode, country: string): readonly HealthSnapshot[] {
    const measured = this.overlays?.levelSnapshots(workspaceId, mode, country) ?? [];
    const reports = this.reports.get(workspaceId);
    const reported = reports === undefined ? measured : reportOverlay([], measured, reports, this.nowMs);
    const overrides = overridesIn(this.overrides.get(workspaceId) ?? [], mode);
    return reported.filter(({ segment_key: key }) => {
      const { provider, paymentMethod, currency } = parseSegmentKey(key);
      return findOverride(overrides, provider, paymentMethod, currency) === undefined;
    });
  }

  /** Returns a summary of each segment and level of one owner for people. */
  details(workspaceId: string, mode: Mode): LiveDetail[] {
    return this.overlays?.details(workspaceId, mode) ?? [];
  }

  /** Every workspace and mode that can have an overlay. */
  overlayOwners(): LiveSegmentOwner[] {
    const owners = this.overlays?.owners() ?? [];
    const known = new Set(owners.map(({ workspaceId, mode }) => `${mode}:${workspaceId}`));
    for (const workspaceId of new Set([...this.overrides.keys(), ...this.reports.keys()])) {
      for (const mode of MODES) {
        if (!known.has(`${mode}:${workspaceId}`)) owners.push({ workspaceId, mode });
      }
    }
    return owners;
  }

  private reportedView(workspaceId: string, mode: Mode, reports: ProviderReports): ReportedView {
    const owner = `${mode}:${workspaceId}`;
    let view = this.reportedViews.get(owner);
    if (view === undefined) {
      const measured = this.overlays?.snapshots(workspaceId, mode) ?? [];
      const reported = reportOverlay(this.snapshots, measured, reports, this.nowMs);
      view = { workspaceId, mode, measured, reported };
      this.reportedViews.set(owner, view);
    }
    return view;
  }

  private reportedChanges(): OverlayStateChange[] {
    if (this.snapshots.length === 0 || (this.reports.size === 0 && this.reportedStates.isEmpty)) return [];
    const views = [...this.reports].flatMap(([workspaceId, reports]) =>
      MODES.map((mode) => this.reportedView(workspaceId, mode, reports)),
    );
    const probed = new Map(this.snapshots.map((snapshot) => [snapshot.segment_key, snapshot]));
    return this.reportedStates.update(views, probed);
  }

  private advance(nowMs: number): HealthTick {
    this.nowMs = nowMs;
    for (const [workspaceId, overrides] of this.overrides) {
      const left = unexpiredOverrides(overrides, nowMs);
      if (left.length < overrides.length) this.setOverrides(workspaceId, left);
    }
    const updatedAt = new Date(nowMs).toISOString();
    const snapshots: HealthSnapshot[] = [];
    const before = new Map<string, HealthState>();
    for (const segment of this.segments) {
      before.set(segment.key, segment.state);
      segment.probeUntil(nowMs, this.incidents);
      snapshots.push(segment.tick(nowMs, updatedAt));
    }
    const changedStates = changesSince(before, snapshots);
    this.snapshots = snapshots;
    this.reportedViews.clear();
    // If a report decides a segment's state, or did so before this tick, only `reportedChanges` returns its change.
    const notReported = (change: OverlayStateChange): boolean => !this.reportedStates.has(change);
    const measured = (this.overlays?.tick(nowMs, changedStates.length > 0) ?? []).filter(notReported);
    const reported = this.reportedChanges();
    const overlayChanges = [...measured.filter(notReported), ...reported];
    const alerts = this.overlays?.takeAlerts() ?? [];
    return { restarted: false, snapshots, changedStates, overlayChanges, alerts };
  }
}
