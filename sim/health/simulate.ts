import type { OutcomeAlertChange } from "../../src/domain/health/monitor/outcome-alert.js";
import type { OutcomeAlertKind } from "../../src/domain/vocabulary/alert-kinds.js";
import { createRandom, type Random } from "../../bench/client/random.js";
import { IncidentWatch, isDemoted, type IncidentFigures } from "./incident-watch.js";
import { LogLossMeter, type LogLoss } from "./log-loss.js";
import { approvalChance, REPORTS, resultOf, RESULTS, type Draws, type Odds, type Result } from "./results.js";
import { SimulatedRouter } from "./router.js";
import type { ChosenShare, Incident, Scenario, ScenarioName } from "./scenarios.js";
import { stepSecondsAt, type Schedule } from "./schedule.js";
import { Traffic } from "./traffic.js";
import { createWorld, paymentsPerSecond, PROVIDERS, type Place, type Provider, type World } from "./world.js";

export interface SimulationOptions extends Schedule {
  readonly scenario: Scenario;
  readonly seed: number;
  /** The mean of payments a second, over a day. */
  readonly meanPerSecond: number;
}

export interface Demotion {
  readonly levelKey: string;
  readonly atMs: number;
  readonly to: string;
}

export interface FalseAlert {
  readonly kind: OutcomeAlertKind;
  readonly levelKey: string;
  readonly atMs: number;
}

export interface ScenarioFigures {
  readonly name: ScenarioName;
  readonly payments: number;
  /** Payments that found every provider ruled out. */
  readonly unrouted: number;
  readonly days: number;
  readonly incidents: readonly IncidentFigures[];
  /** The demotions of providers that were not at fault. */
  readonly falseDemotions: readonly Demotion[];
  /** The alerts whose kind or place differs from the planted incident. */
  readonly falseAlerts: readonly FalseAlert[];
  readonly loss: LogLoss;
}

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
/**
 * The step in which the simulated time of the learning days moves. It is shorter than the 15 minutes after which an
 * outcome is too old.
 */
const LEARNING_STEP_SECONDS = 600;
/** The share of payments that merchants split over all providers, whatever their scores. */
const SPLIT_SHARE = 0.1;

/** A payment and how it ended. */
interface Reported {
  provider: Provider;
  place: Place;
  result: Result;
  /** The result that the same payment would have had without the incident. */
  undisturbed: Result;
  atMs: number;
}

/** Runs one scenario. The same options give the same figures. */
export function simulate(options: SimulationOptions): ScenarioFigures {
  return new Simulation(options).run();
}

class Simulation {
  private readonly world: World;
  private readonly random: Random;
  private readonly traffic: Traffic;
  private readonly router: SimulatedRouter;
  /**
   * Learns what the same payments would have come to without the incidents. Null where the scenario needs no
   * comparison.
   */
  private readonly twin: SimulatedRouter | null;
  private readonly meter = new LogLossMeter();
  private readonly watches: IncidentWatch[] = [];
  private readonly falseDemotions: Demotion[] = [];
  private readonly falseAlerts: FalseAlert[] = [];
  private underway: Reported[] = [];
  private readonly draws: Draws = { failure: 0, excuse: 0, approval: 0 };
  private incident: Incident | null = null;
  private isJudged = false;
  private nowMs: number;
  private payments = 0;
  private unrouted = 0;

  constructor(private readonly options: SimulationOptions) {
    const { seed, scenario, meanPerSecond, learningDays, fromMs } = options;
    this.world = createWorld(createRandom(seed));
    this.random = createRandom(seed + 1);
    this.traffic = new Traffic(this.world, meanPerSecond, this.random);
    this.nowMs = fromMs - learningDays * DAY_MS;
    this.router = new SimulatedRouter(this.nowMs, {
      onState: (key, from, to) => {
        if (isDemoted(to) && !isDemoted(from)) this.noteDemotion(key, to);
      },
      onAlert: (alert) => this.noteAlert(alert),
    });
    this.twin = scenario.isExcused || scenario.hasRecovery ? new SimulatedRouter(this.nowMs) : null;
  }

  run(): ScenarioFigures {
    const { scenario, fromMs, toMs } = this.options;
    this.learnFirst(fromMs);
    this.isJudged = true;
    while (this.nowMs < toMs) {
      const seconds = stepSecondsAt(this.options, this.nowMs);
      this.pass(seconds);
      this.nowMs += seconds * SECOND_MS;
    }
    return {
      name: scenario.name,
      payments: this.payments,
      unrouted: this.unrouted,
      days: (toMs - fromMs) / DAY_MS,
      incidents: this.watches.map((watch) => watch.figures()),
      falseDemotions: this.falseDemotions,
      falseAlerts: this.falseAlerts,
      loss: this.meter.result(),
    };
  }

  /** The learning days pass in larger steps, and equal outcomes are learnt together. */
  private learnFirst(untilMs: number): void {
    while (this.nowMs < untilMs) {
      const seconds = Math.min(LEARNING_STEP_SECONDS, (untilMs - this.nowMs) / SECOND_MS);
      const counts = new Map<number, Reported & { count: number }>();
      for (let left = this.traffic.arrivals(this.nowMs, seconds); left > 0; left--) {
        const payment = this.pay();
        if (payment === null) continue;
        const of = payment.place.index * PROVIDERS.length + PROVIDERS.indexOf(payment.provider);
        const key = of * RESULTS.length + RESULTS.indexOf(payment.result);
        const known = counts.get(key);
        if (known === undefined) counts.set(key, { ...payment, count: 1 });
        else known.count++;
      }
      for (const { provider, place, result, count } of counts.values()) {
        this.router.learn(provider, place, result, this.nowMs, this.nowMs, count);
        this.twin?.learn(provider, place, result, this.nowMs, this.nowMs, count);
      }
      this.tick();
      this.nowMs += seconds * SECOND_MS;
    }
  }

  private pass(seconds: number): void {
    const { nowMs } = this;
    this.learnReported();
    this.tick();
    this.turnIncidents();
    this.watches.at(-1)?.look(nowMs);
    for (let left = this.traffic.arrivals(nowMs, seconds); left > 0; left--) {
      this.payments++;
      const payment = this.pay();
      if (payment === null) this.unrouted++;
      else this.underway.push(payment);
    }
  }

  private learnReported(): void {
    const { nowMs } = this;
    const still: Reported[] = [];
    for (const payment of this.underway) {
      const { provider, place, result, undisturbed, atMs } = payment;
      if (nowMs - atMs < REPORTS[result].delaySeconds * SECOND_MS) {
        still.push(payment);
        continue;
      }
      this.router.learn(provider, place, result, atMs, nowMs);
      this.twin?.learn(provider, place, undisturbed, atMs, nowMs);
    }
    this.underway = still;
  }

  private tick(): void {
    this.router.tick(this.nowMs);
    this.twin?.tick(this.nowMs);
  }

  private turnIncidents(): void {
    const { nowMs, options, world, router } = this;
    if (this.incident !== null && nowMs >= this.incident.toMs) this.incident = null;
    const { plant } = options.scenario;
    const next = options.incidents[this.watches.length];
    if (plant === null || next === undefined || nowMs < next.fromMs) return;
    const chosen: ChosenShare = (provider, place) => router.chosenShare(provider, place);
    this.incident = plant(next, world, chosen, this.watches.length);
    const perSecond = paymentsPerSecond(world, options.meanPerSecond, nowMs);
    this.watches.push(
      new IncidentWatch(this.incident, options.scenario, world, router, this.twin, perSecond),
    );
  }

  /** Makes one payment: routes it and draws its result. Null if no provider can take it. */
  private pay(): Reported | null {
    const { random, draws } = this;
    const place = this.traffic.nextPlace();
    const { best, ranked, expected } = this.router.choose(place);
    const isSplit = random.chance(SPLIT_SHARE);
    const pick = random.next();
    draws.failure = random.next();
    draws.excuse = random.next();
    draws.approval = random.next();
    // ELIG-1: a split does not send a payment to a provider that is ruled out.
    const provider = isSplit ? (ranked[Math.floor(pick * ranked.length)] ?? null) : best;
    if (provider === null) return null;
    const usual = (this.world.odds.get(provider) as readonly Odds[])[place.index] as Odds;
    const { incident } = this;
    const odds = incident?.isHit(provider, place) === true ? incident.change(usual, this.nowMs) : usual;
    const undisturbed = resultOf(usual, draws);
    const result = odds === usual ? undisturbed : resultOf(odds, draws);
    const { isApproved } = REPORTS[result];
    if (this.isJudged && isApproved !== null)
      this.meter.add(provider, expected.get(provider) ?? 0, approvalChance(odds), isApproved);
    return { provider, place, result, undisturbed, atMs: this.nowMs };
  }

  private noteDemotion(levelKey: string, to: string): void {
    if (!this.isJudged) return;
    const isDeserved = this.watches.at(-1)?.noteDemotion(levelKey, this.nowMs) ?? false;
    if (!isDeserved) this.falseDemotions.push({ levelKey, atMs: this.nowMs, to });
  }

  private noteAlert(alert: OutcomeAlertChange): void {
    if (!this.isJudged) return;
    const isRight = this.watches.at(-1)?.noteAlert(alert, this.nowMs) ?? false;
    const { kind, segmentKey: levelKey } = alert;
    if (!isRight) this.falseAlerts.push({ kind, levelKey, atMs: this.nowMs });
  }
}
