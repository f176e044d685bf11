import type { ProviderId } from "../../vocabulary/decision-request.js";
import type { HealthSource, Mode } from "../../vocabulary/vocabulary.js";
import { roundTo6 } from "../../vocabulary/rounding.js";
import { HEALTH_LIMITS } from "../limits.js";
import { LevelTree, type LearntPlace, type PaymentPlace } from "./level-tree.js";
import { estimateLive, noPrior, priorOf, type LiveEstimate } from "./live-estimate.js";
import { without, type LiveSample } from "./live-evidence.js";
import { LiveLevel, type LearntLevel, type LiveDetail } from "./live-level.js";
import type { ProbedSegment } from "../probed-segment.js";
import type { HealthSnapshot } from "../snapshot.js";
import { INITIAL_HEALTH, type ScoredState } from "../state-machine.js";

export interface LiveSegmentOwner {
  workspaceId: string;
  mode: Mode;
}

/** The stored form of a segment and its levels, from which a restarted node continues. */
export interface LearntSegment extends LearntLevel {
  levels: LearntPlace[];
}

type ScoredSnapshot = HealthSnapshot & { state: ScoredState };

/** The levels that a tick judges: those with something new, or all. */
export type JudgedLevels = "hot" | "all if the segment moved" | "all";

/**
 * One segment in the view of one workspace and mode. It combines the workspace's outcomes with a prior. The prior comes
 * from the segment's probes. For a currency outside PROBE_CURRENCIES, the prior is the view's own answer for the
 * provider and method. `siblings` are the segments of PROBE_CURRENCIES with the same provider and method.
 *
 * HLTH-32: below the segment are levels for each country, and for each card network in a country. A level is judged
 * like the segment. It is shrunk towards its parent, whose counts then leave out the level's own outcomes. No outcome
 * therefore counts in both.
 */
export class LiveSegment {
  readonly top: LiveLevel;
  /** True if the currency is one of PROBE_CURRENCIES, even if probes are turned off. */
  readonly isConfigured: boolean;
  private readonly approvalRateBaseline: number;
  readonly tree: LevelTree;
  /** The segment's score when all of its levels were judged last. */
  private judgedAtScore = Infinity;

  constructor(
    readonly owner: LiveSegmentOwner,
    /** The key of the owner in maps. */
    readonly ownerKey: string,
    key: string,
    readonly probed: ProbedSegment | null,
    readonly siblings: readonly [ProbedSegment, ...ProbedSegment[]],
  ) {
    this.isConfigured = siblings.some((sibling) => sibling.key === key);
    const guide = probed ?? siblings[0];
    const baselines = siblings.map((sibling) => sibling.approvalRateBaseline);
    const mean = baselines.reduce((sum, rate) => sum + rate, 0) / baselines.length;
    this.approvalRateBaseline = probed?.approvalRateBaseline ?? roundTo6(mean);
    const begin = { health: probed?.health ?? INITIAL_HEALTH, usual: this.approvalRateBaseline };
    this.top = new LiveLevel(key, guide, begin, (nowMs, own) => {
      if (probed === null) return own;
      const probes = probed.failures.recent(nowMs);
      return {
        samples: own.samples + probes.samples,
        technicalFailures: own.technicalFailures + probes.technicalFailures,
      };
    });
    this.tree = new LevelTree(this.top);
  }

  get key(): string {
    return this.top.key;
  }

  /** `<payment_method>:<currency>` */
  get marketKey(): string {
    return this.key.slice(this.provider.length + 1);
  }

  get provider(): ProviderId {
    return this.top.guide.mock.provider;
  }

  /** The number of levels, including the segment's own. */
  get levels(): number {
    return 1 + this.tree.size;
  }

  get isMoving(): boolean {
    return this.top.isMoving || this.tree.isHot;
  }

  /** True if the segment or one of its levels has more bad outcomes than usual. */
  get isSuspect(): boolean {
    return this.top.isSuspect || this.tree.hasSuspects;
  }

  /** True if almost nothing is left of the segment's outcomes. */
  isForgotten(nowMs: number): boolean {
    return this.top.isForgotten(nowMs);
  }

  record(sample: LiveSample, place: PaymentPlace, nowMs: number): void {
    this.top.record(sample, nowMs);
    this.tree.record(sample, place, nowMs);
  }

  /**
   * Runs one tick. Tick the probed segments first. `everybodys` is the view's answer for the provider and method
   * without this segment. It serves a currency outside PROBE_CURRENCIES. Returns whether the segment's snapshot changed,
   * and the countries in which the snapshot of a level changed.
   */
  tick(
    nowMs: number,
    updatedAt: string,
    everybodys: HealthSnapshot | null,
    extent: JudgedLevels,
  ): { changed: boolean; countries: ReadonlySet<string> } {
    const { top } = this;
    // The levels failed together with the segment, but most have too little traffic for a circuit of their own. So
    // their failures are removed with the segment's.
    if (top.begin(nowMs)) for (const level of this.tree.levels()) level.evidence.clearFailures();
    const known = knownSnapshot(this.probed?.latest ?? everybodys);
    const prior = known === null ? noPrior(this.approvalRateBaseline) : priorOf(known);
    const source = this.source(known);
    const isBounded = this.probed === null;
    const counts = top.evidence.counts();
    const estimate = estimateLive(prior, counts);
    const changed = top.judge(
      { estimate, known: known?.state ?? null, source, isBounded, parentRate: parentRateOf(prior) },
      nowMs,
      updatedAt,
    );
    const { score } = estimate;
    const all =
      extent === "all" ||
      (extent === "all if the segment moved" &&
        Math.abs(score - this.judgedAtScore) >= HEALTH_LIMITS.levelsFollowScore);
    if (all) this.judgedAtScore = score;
    return { changed, countries: this.tickLevels(prior, source, all, nowMs, updatedAt) };
  }

  /** The snapshots of a country's levels. */
  snapshotsOf(country: string): HealthSnapshot[] {
    return this.tree.levelsIn(country).flatMap(({ latest }) => latest ?? []);
  }

  toLearnt(): LearntSegment {
    return { ...this.top.toLearnt(), levels: this.tree.toLearnt() };
  }

  restore(learnt: LearntSegment): void {
    this.top.restore(learnt);
    this.tree.restore(learnt.levels);
  }

  /** Returns a summary of the segment and of each level for people. */
  details(): LiveDetail[] {
    return [this.top, ...this.tree.levels()].map((level) => level.detail());
  }

  private tickLevels(
    prior: LiveEstimate,
    source: HealthSource,
    all: boolean,
    nowMs: number,
    updatedAt: string,
  ): ReadonlySet<string> {
    const judged = this.tree.take(all);
    if (judged.length === 0) return NO_COUNTRIES;
    const countries = new Set<string>();
    const whole = this.top.evidence.counts();
    const known = this.top.circuitClosed ? null : "unavailable";
    for (const deeper of judged) {
      const { level, parent, country } = deeper;
      level.begin(nowMs);
      if (level.isForgotten(nowMs)) {
        this.tree.remove(deeper);
        countries.add(country);
        continue;
      }
      parent?.evidence.advance(nowMs);
      const own = level.evidence.counts();
      const towards = parent === null ? own : parent.evidence.counts();
      let around = estimateLive(prior, without(whole, towards));
      if (parent !== null) around = estimateLive(prior, without(towards, own), around);
      const estimate = estimateLive(prior, own, around);
      const state = around.samples >= HEALTH_LIMITS.classifySamplesMin ? stateAround(this.top) : null;
      const isBounded = known !== null;
      const parentRate = parentRateOf(around);
      const judgement = { estimate, known: known ?? state, source, isBounded, parentRate };
      if (level.judge(judgement, nowMs, updatedAt)) countries.add(country);
      this.tree.note(deeper);
    }
    return countries;
  }

  /** HLTH-16. A currency without probes counts as measured if it has enough outcomes of its own for a score. */
  private source(known: HealthSnapshot | null): HealthSource {
    if (known === null) return "live";
    const isMeasured =
      this.probed === null && Math.round(this.top.evidence.samples) >= HEALTH_LIMITS.classifySamplesMin;
    return isMeasured ? "live" : "partial";
  }
}

const NO_COUNTRIES: ReadonlySet<string> = new Set();

function parentRateOf({ samples, shown }: LiveEstimate): number | null {
  return samples >= HEALTH_LIMITS.shrinkageSamples ? shown.answered : null;
}

/** Returns the state in which a new level begins. Null if it is unknown. */
function stateAround({ state }: LiveLevel): ScoredState | null {
  return state === "unknown" ? null : state;
}

/** Returns null if there is no snapshot, or if its state is unknown. */
function knownSnapshot(snapshot: HealthSnapshot | null): ScoredSnapshot | null {
  return snapshot === null || snapshot.state === "unknown" ? null : (snapshot as ScoredSnapshot);
}
