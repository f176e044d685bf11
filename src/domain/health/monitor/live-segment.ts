import type { CardNetwork, HealthSource, Mode } from "../../vocabulary/vocabulary.js";
import { roundTo6 } from "../../vocabulary/rounding.js";
import { HEALTH_LIMITS } from "../limits.js";
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

/** Where a payment was made. A card network without a country has no level. */
export interface PaymentPlace {
  /** ISO 3166-1 alpha-2, or null where it is unknown. */
  country: string | null;
  cardNetwork: CardNetwork | null;
}

/** A level below a segment: the payments of one country, or of one card network in it. */
interface DeeperLevel {
  readonly country: string;
  readonly level: LiveLevel;
  /** The level of the country, for a card network. */
  readonly parent: LiveLevel | null;
}

/** The plain form of what a segment and its levels have learnt, for a restart. */
export interface LearntSegment extends LearntLevel {
  levels: (LearntLevel & PaymentPlace)[];
}

type ScoredSnapshot = HealthSnapshot & { state: ScoredState };

/**
 * One segment in the view of one workspace and mode: what its outcomes say, over what is known without them. That is the
 * segment's probes, or for another currency than those of PROBE_CURRENCIES the view's own answer for the provider and
 * method. `siblings` are the segments of PROBE_CURRENCIES with the same provider and method.
 *
 * HLTH-32: below the segment are levels for each country, and for each card network in it. A level is judged like the
 * segment. It is shrunk towards its parent without the level's own outcomes, so each outcome counts once.
 */
export class LiveSegment {
  readonly top: LiveLevel;
  /** True if the currency is one of PROBE_CURRENCIES, even if probes are turned off. */
  readonly isConfigured: boolean;
  private readonly approvalRateBaseline: number;
  private readonly deeper = new Map<string, DeeperLevel>();
  /** The levels that the next tick judges in any case. */
  private readonly hot = new Set<DeeperLevel>();

  constructor(
    readonly owner: LiveSegmentOwner,
    /** Names the owner, for a look-up. */
    readonly ownerKey: string,
    key: string,
    readonly probed: ProbedSegment | null,
    readonly siblings: readonly [ProbedSegment, ...ProbedSegment[]],
  ) {
    this.isConfigured = siblings.some((sibling) => sibling.key === key);
    const guide = probed ?? siblings[0];
    this.top = new LiveLevel(key, guide, probed?.health ?? INITIAL_HEALTH, (nowMs, own) => {
      if (probed === null) return own;
      const probes = probed.failures.recent(nowMs);
      return {
        samples: own.samples + probes.samples,
        technicalFailures: own.technicalFailures + probes.technicalFailures,
      };
    });
    const baselines = siblings.map((sibling) => sibling.mock.profile.approvalRate);
    const mean = baselines.reduce((sum, rate) => sum + rate, 0) / baselines.length;
    this.approvalRateBaseline = probed?.mock.profile.approvalRate ?? roundTo6(mean);
  }

  get key(): string {
    return this.top.key;
  }

  /** The number of levels, this one among them. */
  get levels(): number {
    return 1 + this.deeper.size;
  }

  get isMoving(): boolean {
    return this.top.isMoving || this.hot.size > 0;
  }

  /** True if next to nothing is left of the segment's outcomes. */
  isForgotten(nowMs: number): boolean {
    return this.top.isForgotten(nowMs);
  }

  record(sample: LiveSample, { country, cardNetwork }: PaymentPlace, nowMs: number): void {
    this.top.record(sample, nowMs);
    if (country === null) return;
    const byCountry = this.levelOf(country, null, null);
    byCountry.level.record(sample, nowMs);
    this.hot.add(byCountry);
    if (cardNetwork === null) return;
    const byNetwork = this.levelOf(country, cardNetwork, byCountry.level);
    byNetwork.level.record(sample, nowMs);
    this.hot.add(byNetwork);
  }

  /**
   * One tick. The probed segments must have had theirs before. `everybodys` is the answer of the view without this
   * segment, for a segment outside PROBE_CURRENCIES. `all` judges the levels without news too. Returns whether the
   * segment's snapshot changed, and the countries with a level that did.
   */
  tick(
    nowMs: number,
    updatedAt: string,
    everybodys: HealthSnapshot | null,
    all: boolean,
  ): { changed: boolean; countries: ReadonlySet<string> } {
    const { top } = this;
    top.begin(nowMs);
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
    return { changed, countries: this.tickLevels(prior, source, all, nowMs, updatedAt) };
  }

  /** The snapshots of a country's levels. */
  snapshotsOf(country: string): HealthSnapshot[] {
    const snapshots: HealthSnapshot[] = [];
    for (const { country: other, level } of this.deeper.values())
      if (other === country && level.latest !== null) snapshots.push(level.latest);
    return snapshots;
  }

  toLearnt(): LearntSegment {
    const levels = [...this.deeper].map(([place, { level }]) => {
      return { ...level.toLearnt(), ...placeIn(place) };
    });
    return { ...this.top.toLearnt(), levels };
  }

  restore(learnt: LearntSegment): void {
    this.top.restore(learnt);
    for (const { country, cardNetwork, ...level } of learnt.levels) {
      if (country === null) continue;
      const parent = cardNetwork === null ? null : this.levelOf(country, null, null).level;
      this.levelOf(country, cardNetwork, parent).level.restore(level);
    }
  }

  /** The countries with a level. */
  countries(): ReadonlySet<string> {
    return new Set([...this.deeper.values()].map(({ country }) => country));
  }

  /** Unix milliseconds of the newest outcome of the level that had none for the longest time. Infinity without levels. */
  oldestLevelMs(): number {
    let oldestMs = Infinity;
    for (const { level } of this.deeper.values()) oldestMs = Math.min(oldestMs, level.evidence.lastOutcomeMs);
    return oldestMs;
  }

  /** Removes that level. Returns its country, or null without levels. A network goes before its country. */
  evictOldestLevel(): string | null {
    const oldestMs = this.oldestLevelMs();
    const [oldest] = [...this.deeper]
      .filter(([, { level }]) => level.evidence.lastOutcomeMs === oldestMs)
      .toSorted(([a], [b]) => b.length - a.length);
    if (oldest === undefined) return null;
    this.remove(oldest[0]);
    return oldest[1].country;
  }

  /** What outcomes say of the segment and of each of its levels. */
  details(): LiveDetail[] {
    return [this.top.detail(), ...[...this.deeper.values()].map(({ level }) => level.detail())];
  }

  private tickLevels(
    prior: LiveEstimate,
    source: HealthSource,
    all: boolean,
    nowMs: number,
    updatedAt: string,
  ): ReadonlySet<string> {
    const judged = all ? [...this.deeper.values()] : [...this.hot];
    this.hot.clear();
    if (judged.length === 0) return NO_COUNTRIES;
    const countries = new Set<string>();
    const whole = this.top.evidence.counts();
    const known = this.top.circuitClosed ? null : "unavailable";
    for (const deeper of judged) {
      const { level, parent, country } = deeper;
      level.begin(nowMs);
      if (level.isForgotten(nowMs)) {
        this.remove(placeOf(this.key, level.key));
        countries.add(country);
        continue;
      }
      parent?.evidence.advance(nowMs);
      const own = level.evidence.counts();
      const towards = parent === null ? own : parent.evidence.counts();
      let around = estimateLive(prior, without(whole, towards));
      if (parent !== null) around = estimateLive(around, without(towards, own));
      const estimate = estimateLive(around, own);
      const state = around.samples >= HEALTH_LIMITS.classifySamplesMin ? stateAround(this.top) : null;
      const isBounded = known !== null;
      const parentRate = parentRateOf(around);
      const judgement = { estimate, known: known ?? state, source, isBounded, parentRate };
      if (level.judge(judgement, nowMs, updatedAt)) countries.add(country);
      if (level.isMoving) this.hot.add(deeper);
    }
    return countries;
  }

  private levelOf(country: string, cardNetwork: CardNetwork | null, parent: LiveLevel | null): DeeperLevel {
    const place = cardNetwork === null ? country : `${country}:${cardNetwork}`;
    let deeper = this.deeper.get(place);
    if (deeper === undefined) {
      const { top } = this;
      const wider = parent ?? top;
      const level = new LiveLevel(`${this.key}:${place}`, top.guide, wider.health, (nowMs) =>
        wider.recent(nowMs),
      );
      deeper = { country, level, parent };
      this.deeper.set(place, deeper);
      this.hot.add(deeper);
    }
    return deeper;
  }

  private remove(place: string): void {
    const deeper = this.deeper.get(place);
    if (deeper === undefined) return;
    this.deeper.delete(place);
    this.hot.delete(deeper);
  }

  /** HLTH-16. A currency without probes counts as measured once its own outcomes are enough to score it. */
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

function placeIn(place: string): PaymentPlace {
  const [country = null, cardNetwork = null] = place.split(":");
  return { country, cardNetwork: cardNetwork as CardNetwork | null };
}

/** The segment key of a level: that of its segment, then country and card network. */
function placeOf(key: string, levelKey: string): string {
  return levelKey.slice(key.length + 1);
}

/** The state from which a new level begins, if its surroundings are known. */
function stateAround({ state }: LiveLevel): ScoredState | null {
  return state === "unknown" ? null : state;
}

/** Null if nothing is known: no snapshot, or one in state unknown. */
function knownSnapshot(snapshot: HealthSnapshot | null): ScoredSnapshot | null {
  return snapshot === null || snapshot.state === "unknown" ? null : (snapshot as ScoredSnapshot);
}
