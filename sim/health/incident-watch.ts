import type { OutcomeAlertChange } from "../../src/domain/health/monitor/outcome-alert.js";
import type { HealthState } from "../../src/domain/vocabulary/vocabulary.js";
import { levelKeyOf, placesOf, providerOf } from "./levels.js";
import type { SimulatedRouter } from "./router.js";
import type { Incident, Scenario } from "./scenarios.js";
import { type Place, type Provider, type World } from "./world.js";

export interface IncidentFigures {
  readonly name: string;
  readonly fromMs: number;
  /** The payments a second of all providers when the incident begins. */
  readonly paymentsPerSecond: number;
  /** From the beginning of the incident until a level of the provider is not healthy any more. */
  readonly stateAfterMs: number | null;
  /** From the beginning of the incident until more than half of the provider's affected traffic goes elsewhere. */
  readonly leftAfterMs: number | null;
  /** From the beginning of the incident until the right alert opens. */
  readonly alertAfterMs: number | null;
  /**
   * From the end of the incident until the provider has nine tenths of the traffic that it would have without the
   * incident. A place also counts if the provider's score there is within `BACK_POINTS` of that without the incident:
   * then only a near tie keeps the traffic elsewhere. Null if this had not happened when the watch ended.
   */
  readonly backAfterMs: number | null;
  /** The time from the end of the incident until `look` was last called. */
  readonly lookedMs: number;
  /**
   * The largest difference, in points, between a hit level's scores with and without the incident, for the same
   * payments.
   */
  readonly scoreMovePoints: number | null;
}

const LEFT_SHARE = 0.5;
const BACK_SHARE = 0.9;
/** A score that is this close counts as unmoved in the contract. Near ties change routes without incidents too. */
const BACK_POINTS = 2;
const HOUR_MS = 3_600_000;
/** Scores are compared until this long after the end of the incident. */
const MOVES_UNTIL_MS = HOUR_MS;
/**
 * A demotion or alert is still deserved this long after the end: time-outs are reported late, and two ticks confirm a
 * worse state.
 */
const DESERVED_AFTER_MS = 60_000;

export function isDemoted(state: HealthState): boolean {
  return state !== "healthy" && state !== "unknown";
}

/** Watches one incident from its beginning on. */
export class IncidentWatch {
  private stateMs: number | null = null;
  private leftMs: number | null = null;
  private backMs: number | null = null;
  private alertMs: number | null = null;
  private lookedUntilMs: number;
  private largestMove: number | null = null;
  /** The places that the incident hits and whose payments went to the provider when the incident began. */
  private readonly carried: readonly Place[];
  private readonly hitKeys = new Map<string, boolean>();

  constructor(
    readonly incident: Incident,
    private readonly scenario: Scenario,
    private readonly world: World,
    private readonly router: SimulatedRouter,
    private readonly twin: SimulatedRouter | null,
    private readonly paymentsPerSecond: number,
  ) {
    const { provider } = incident;
    this.lookedUntilMs = incident.fromMs;
    this.carried =
      provider === null
        ? []
        : world.places.filter(
            (place) => incident.isHit(provider, place) && router.choose(place).best === provider,
          );
  }

  /** True if the level holds payments that the incident hits. */
  hits(levelKey: string): boolean {
    let isHit = this.hitKeys.get(levelKey);
    if (isHit === undefined) {
      const provider = providerOf(levelKey);
      isHit = placesOf(this.world, levelKey).some((place) => this.incident.isHit(provider, place));
      this.hitKeys.set(levelKey, isHit);
    }
    return isHit;
  }

  /** Notes a demotion. Returns true if the provider deserves it. */
  noteDemotion(levelKey: string, nowMs: number): boolean {
    const { provider, fromMs, toMs } = this.incident;
    if (providerOf(levelKey) !== provider || !this.hits(levelKey)) return false;
    if (nowMs < toMs) this.stateMs ??= nowMs - fromMs;
    return nowMs < toMs + DESERVED_AFTER_MS;
  }

  /** Notes an alert that opens. Returns true if the alert is right. */
  noteAlert({ kind, provider, segmentKey }: OutcomeAlertChange, nowMs: number): boolean {
    const { incident, scenario } = this;
    if (kind !== scenario.alertKind || provider !== incident.provider || !this.hits(segmentKey)) return false;
    if (nowMs < incident.toMs) this.alertMs ??= nowMs - incident.fromMs;
    return nowMs < incident.toMs + DESERVED_AFTER_MS;
  }

  /** Call it at each step, until the next incident. */
  look(nowMs: number): void {
    const { fromMs, toMs, provider } = this.incident;
    this.lookedUntilMs = nowMs;
    if (provider !== null && this.backMs === null) {
      const isChosen = (place: Place): boolean => this.router.choose(place).best === provider;
      if (nowMs < toMs && shareOf(this.carried, isChosen) < LEFT_SHARE) this.leftMs ??= nowMs - fromMs;
      const isBack = (place: Place): boolean => isChosen(place) || this.isScoredAsUsual(provider, place);
      if (nowMs >= toMs && shareOf(this.undisturbed(provider), isBack) >= BACK_SHARE)
        this.backMs = nowMs - toMs;
    }
    if (this.twin !== null && this.scenario.isExcused && nowMs < toMs + MOVES_UNTIL_MS)
      this.compareScores(this.twin);
  }

  figures(): IncidentFigures {
    const { name, fromMs, toMs } = this.incident;
    return {
      name,
      fromMs,
      paymentsPerSecond: this.paymentsPerSecond,
      stateAfterMs: this.stateMs,
      leftAfterMs: this.leftMs,
      alertAfterMs: this.alertMs,
      backAfterMs: this.backMs,
      lookedMs: Math.max(0, this.lookedUntilMs - toMs),
      scoreMovePoints: this.largestMove,
    };
  }

  /**
   * The places that the incident hits and whose payments would go to the provider now without the incident. Where there
   * are none, those that it had when the incident began.
   */
  private undisturbed(provider: Provider): readonly Place[] {
    const { incident, twin, carried } = this;
    const places = this.world.places.filter(
      (place) => incident.isHit(provider, place) && twin?.choose(place).best === provider,
    );
    return places.length > 0 ? places : carried;
  }

  private isScoredAsUsual(provider: Provider, place: Place): boolean {
    const key = levelKeyOf(provider, place);
    const score = this.router.scoreOf(key);
    const undisturbed = this.twin?.scoreOf(key) ?? null;
    return score !== null && undisturbed !== null && score >= undisturbed - BACK_POINTS;
  }

  private compareScores(twin: SimulatedRouter): void {
    for (const key of this.router.levelKeys) {
      if (!this.hits(key)) continue;
      const score = this.router.scoreOf(key);
      const undisturbed = twin.scoreOf(key);
      if (score === null || undisturbed === null) continue;
      this.largestMove = Math.max(this.largestMove ?? 0, Math.abs(score - undisturbed));
    }
  }
}

/** The share of the traffic of some places that is in those of them for which `is` returns true, 0..1. */
function shareOf(places: readonly Place[], is: (place: Place) => boolean): number {
  let kept = 0;
  let all = 0;
  for (const place of places) {
    all += place.share;
    if (is(place)) kept += place.share;
  }
  return all === 0 ? 1 : kept / all;
}
