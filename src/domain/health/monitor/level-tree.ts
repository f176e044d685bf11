import type { CardNetwork } from "../../vocabulary/vocabulary.js";
import type { LiveSample } from "./live-evidence.js";
import { LiveLevel, type LearntLevel } from "./live-level.js";

/** The country and card network of a payment. Without a country, a card network belongs to no level. */
export interface PaymentPlace {
  /** ISO 3166-1 alpha-2, or null if it is unknown. */
  country: string | null;
  cardNetwork: CardNetwork | null;
}

/** A level below a segment: the payments of one country, or of one card network in that country. */
export interface DeeperLevel {
  /** `<country>` or `<country>:<card_network>` */
  readonly place: string;
  readonly country: string;
  readonly level: LiveLevel;
  /** For a card network, the level of its country. */
  readonly parent: LiveLevel | null;
}

/** A level and all levels above it, up to the segment's own. */
export type LevelPath = readonly [LiveLevel, ...LiveLevel[]];

/** The payments of a level that belong to no level below it. */
export interface LevelPart {
  readonly level: LiveLevel;
  /** The levels directly below. */
  readonly below: readonly LiveLevel[];
  /** The level and all levels above it. */
  readonly path: LevelPath;
  /** Null for the segment itself. */
  readonly country: string | null;
}

export type LearntPlace = LearntLevel & PaymentPlace;

/** HLTH-32: the levels below a segment, by place. */
export class LevelTree {
  private readonly byPlace = new Map<string, DeeperLevel>();
  /** The levels that the next tick judges even if it does not judge all. */
  private readonly hot = new Set<DeeperLevel>();
  /** The countries whose levels are all hot. */
  private readonly hotCountries = new Set<string>();
  /** The levels that have more bad outcomes than usual. */
  private readonly suspects = new Set<DeeperLevel>();

  constructor(private readonly top: LiveLevel) {}

  get size(): number {
    return this.byPlace.size;
  }

  get isHot(): boolean {
    return this.hot.size > 0;
  }

  get hasSuspects(): boolean {
    return this.suspects.size > 0;
  }

  record(sample: LiveSample, { country, cardNetwork }: PaymentPlace, nowMs: number): void {
    if (country === null) return;
    const byCountry = this.of(country, null, null);
    byCountry.level.record(sample, nowMs);
    this.hot.add(byCountry);
    if (cardNetwork === null) return;
    const byNetwork = this.of(country, cardNetwork, byCountry.level);
    byNetwork.level.record(sample, nowMs);
    this.hot.add(byNetwork);
  }

  at(place: string): LiveLevel | undefined {
    return this.byPlace.get(place)?.level;
  }

  /** Returns the levels to judge at a tick: all levels, or only the hot ones. */
  take(all: boolean): readonly DeeperLevel[] {
    if (this.hotCountries.size > 0)
      for (const deeper of this.byPlace.values())
        if (this.hotCountries.has(deeper.country)) this.hot.add(deeper);
    const taken = all ? [...this.byPlace.values()] : [...this.hot];
    this.hot.clear();
    this.hotCountries.clear();
    return taken;
  }

  /** Notes whether a judged level must be judged again at the next tick, and whether it is suspect. */
  note(deeper: DeeperLevel): void {
    if (deeper.level.isMoving) this.hot.add(deeper);
    if (deeper.level.isSuspect) this.suspects.add(deeper);
    else this.suspects.delete(deeper);
  }

  remove({ place }: DeeperLevel): void {
    const deeper = this.byPlace.get(place);
    if (deeper === undefined) return;
    this.byPlace.delete(place);
    this.hot.delete(deeper);
    this.suspects.delete(deeper);
  }

  /** Returns the places of card networks: all of them, or only the hot ones. */
  networkPlaces(all: boolean): string[] {
    const from = all ? this.byPlace.values() : this.hot;
    return [...from].flatMap(({ place, parent }) => (parent === null ? [] : [place]));
  }

  /** Marks as hot the card networks that are hot in another provider's tree. Returns true if a mark is new. */
  heatLike(other: LevelTree): boolean {
    const before = this.hot.size;
    for (const { place, parent } of other.hot) {
      const own = parent === null ? undefined : this.byPlace.get(place);
      if (own !== undefined) this.hot.add(own);
    }
    return this.hot.size > before;
  }

  /**
   * HLTH-34: sets how many of a card network's declines the issuer caused. The counts of the levels above change by the
   * same difference.
   */
  excuse(place: string, declines: number, nowMs: number): void {
    const deeper = this.byPlace.get(place);
    if (deeper === undefined) return;
    const more = declines - deeper.level.evidence.excused;
    for (const level of [deeper.level, deeper.parent, this.top]) {
      level?.evidence.advance(nowMs);
      level?.evidence.excuse(more);
    }
  }

  suspectNetworks(): string[] {
    return [...this.suspects].flatMap(({ place, parent }) => (parent === null ? [] : [place]));
  }

  /** Returns the countries that have more bad outcomes than usual, in the whole country or in one card network. */
  suspectCountries(): { level: LiveLevel; networks: LiveLevel[] }[] {
    const countries = new Map<string, { level: LiveLevel; networks: LiveLevel[] }>();
    for (const { country, level, parent } of this.suspects) {
      const known = countries.get(country) ?? { level: parent ?? level, networks: [] };
      if (parent !== null) known.networks.push(level);
      countries.set(country, known);
    }
    return [...countries.values()];
  }

  /** Returns the lowest levels, each with the levels above it. No outcome is in two of the lowest levels. */
  deepestPaths(): Pick<LevelPart, "path" | "country">[] {
    const deeper = [...this.byPlace.values()];
    const above = new Set(deeper.map(({ parent }) => parent));
    const paths = deeper.flatMap(({ level, parent, country }): Pick<LevelPart, "path" | "country">[] => {
      if (parent !== null) return [{ path: [level, parent, this.top], country }];
      return above.has(level) ? [] : [{ path: [level, this.top], country }];
    });
    return paths.length === 0 ? [{ path: [this.top], country: null }] : paths;
  }

  /** Returns the parts of the segment. Together they contain each outcome exactly one time. */
  parts(): LevelPart[] {
    const deeper = [...this.byPlace.values()];
    const below = new Map<LiveLevel, LiveLevel[]>();
    for (const { level, parent } of deeper) {
      const above = parent ?? this.top;
      const siblings = below.get(above) ?? [];
      below.set(above, siblings);
      siblings.push(level);
    }
    const part = (country: string | null, ...path: LevelPath): LevelPart => ({
      level: path[0],
      below: below.get(path[0]) ?? [],
      path,
      country,
    });
    return [
      part(null, this.top),
      ...deeper.map(({ level, parent, country }) =>
        parent === null ? part(country, level, this.top) : part(country, level, parent, this.top),
      ),
    ];
  }

  /** HLTH-35: marks declines of a part as overcome, in the levels above it too. A negative number takes marks back. */
  overcome({ path, country }: LevelPart, declines: number, nowMs: number): void {
    for (const level of path) {
      level.evidence.advance(nowMs);
      level.evidence.overcomeMore(declines);
    }
    this.heat(country);
  }

  /**
   * HLTH-35: marks all levels of a country as hot, because one of them got over something. Each of them is shrunk towards
   * the others. Null for the segment itself.
   */
  heat(country: string | null): void {
    if (country !== null) this.hotCountries.add(country);
  }

  levels(): LiveLevel[] {
    return [...this.byPlace.values()].map(({ level }) => level);
  }

  levelsIn(country: string): LiveLevel[] {
    return [...this.byPlace.values()].flatMap((deeper) => (deeper.country === country ? [deeper.level] : []));
  }

  countries(): ReadonlySet<string> {
    return new Set([...this.byPlace.values()].map(({ country }) => country));
  }

  /**
   * Returns the time of the last outcome of the level that has been idle for longest, in Unix milliseconds. Infinity if
   * there are no levels.
   */
  oldestMs(): number {
    let oldestMs = Infinity;
    for (const { level } of this.byPlace.values())
      oldestMs = Math.min(oldestMs, level.evidence.lastOutcomeMs);
    return oldestMs;
  }

  /**
   * Removes the level whose last outcome is the oldest. A card network is removed before its country. Returns the
   * country, or null if there are no levels.
   */
  evictOldest(): string | null {
    const oldestMs = this.oldestMs();
    const [oldest] = [...this.byPlace.values()]
      .filter(({ level }) => level.evidence.lastOutcomeMs === oldestMs)
      .toSorted((a, b) => b.place.length - a.place.length);
    if (oldest === undefined) return null;
    this.remove(oldest);
    return oldest.country;
  }

  toLearnt(): LearntPlace[] {
    return [...this.byPlace.values()].map(({ place, level }) => {
      const [country = null, cardNetwork = null] = place.split(":");
      return { ...level.toLearnt(), country, cardNetwork: cardNetwork as CardNetwork | null };
    });
  }

  restore(learnt: readonly LearntPlace[]): void {
    for (const { country, cardNetwork, ...level } of learnt) {
      if (country === null) continue;
      const parent = cardNetwork === null ? null : this.of(country, null, null).level;
      this.of(country, cardNetwork, parent).level.restore(level);
    }
  }

  private of(country: string, cardNetwork: CardNetwork | null, parent: LiveLevel | null): DeeperLevel {
    const place = cardNetwork === null ? country : `${country}:${cardNetwork}`;
    let deeper = this.byPlace.get(place);
    if (deeper === undefined) {
      const wider = parent ?? this.top;
      const level = LiveLevel.below(wider, `${this.top.key}:${place}`);
      deeper = { place, country, level, parent };
      this.byPlace.set(place, deeper);
      this.hot.add(deeper);
    }
    return deeper;
  }
}
