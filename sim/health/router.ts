import {
  ProviderEvaluation,
  type EvaluationInput,
  segmentsOf,
  type Segment,
} from "../../src/domain/decision/evaluation.js";
import { rankEligible } from "../../src/domain/decision/ranking.js";
import type { LiveOutcomes } from "../../src/domain/health/monitor/live-outcome.js";
import { HealthMonitor } from "../../src/domain/health/monitor/monitor.js";
import type { OutcomeAlertChange } from "../../src/domain/health/monitor/outcome-alert.js";
import type { HealthSnapshot, HealthView } from "../../src/domain/health/snapshot.js";
import { createHealthView } from "../../src/domain/health/view.js";
import { NOTHING_MATCHED } from "../../src/domain/policy/policy-evaluation.js";
import type { HealthState } from "../../src/domain/vocabulary/vocabulary.js";
import { REPORTS, type Result } from "./results.js";
import { CURRENCIES, METHODS, PROVIDERS, type Place, type Provider } from "./world.js";

const OWNER = { workspaceId: "ws_simulated", mode: "live" } as const;
const LATENCY_MS = 300;

/** The route of a payment, by the score alone. */
export interface Choice {
  /** Null if every provider is ruled out. */
  readonly best: Provider | null;
  /** The providers that are not ruled out, best first. */
  readonly ranked: readonly Provider[];
  /** The chance of an approval that routing expects of each provider, 0..1. */
  readonly expected: ReadonlyMap<Provider, number>;
}

export interface RouterListener {
  /** Called for each level whose state differs from that at the previous tick. */
  onState(levelKey: string, from: HealthState, to: HealthState): void;
  /** Called for each alert that opens and was not open before. */
  onAlert(alert: OutcomeAlertChange): void;
}

/**
 * The product's own health and routing on a simulated clock. Probes are turned off, so all that is known comes from
 * payments.
 */
export class SimulatedRouter {
  private readonly monitor = new HealthMonitor({
    providers: PROVIDERS,
    paymentMethods: METHODS,
    currencies: CURRENCIES,
    seed: 1,
    hasProbes: false,
  });
  private view: HealthView;
  private snapshots: readonly HealthSnapshot[];
  private generation = 0;
  private readonly inCountry = new Map<string, readonly HealthSnapshot[]>();
  private readonly shown = new Map<string, HealthSnapshot>();
  private readonly choices = new Map<Place, Choice>();
  /** The open alerts, as `<kind>:<segment key>`. */
  private readonly openAlerts = new Set<string>();

  constructor(
    startMs: number,
    private readonly listener: RouterListener | null = null,
  ) {
    this.snapshots = this.monitor.warmUp(startMs).snapshots;
    this.view = createHealthView("0", this.snapshots);
  }

  learn(provider: Provider, place: Place, result: Result, atMs: number, nowMs: number, count = 1): void {
    const { outcome, technicalFailureType, blame } = REPORTS[result];
    const learnt: LiveOutcomes = {
      workspaceId: OWNER.workspaceId,
      mode: OWNER.mode,
      provider,
      paymentMethod: place.method,
      currency: place.currency,
      country: place.country,
      cardNetwork: place.network,
      outcome,
      technicalFailureType,
      blame,
      latencyMs: LATENCY_MS,
      atMs,
      count,
    };
    this.monitor.recordOutcomes(learnt, nowMs);
  }

  /** One tick of the prober. Decisions see what it publishes. */
  tick(nowMs: number): void {
    const { snapshots, alerts } = this.monitor.tick(nowMs);
    this.snapshots = snapshots;
    for (const alert of alerts) this.followAlert(alert);
    const changed = this.monitor.takeChangedOwners();
    if (changed.length === 0) return;
    const { workspaceId, mode } = OWNER;
    for (const { countries } of changed) {
      for (const country of countries) {
        const levels = this.monitor.levels(workspaceId, mode, country);
        this.inCountry.set(country, levels);
        this.follow(levels);
      }
    }
    const overlay = this.monitor.overlay(workspaceId, mode);
    this.follow(overlay);
    this.view = createHealthView(
      String(++this.generation),
      this.snapshots,
      overlay,
      (country) => this.inCountry.get(country) ?? null,
    );
    this.choices.clear();
  }

  /** How a decision made now would route a payment of this place. */
  choose(place: Place): Choice {
    let choice = this.choices.get(place);
    if (choice === undefined) this.choices.set(place, (choice = this.decide(place)));
    return choice;
  }

  /** The share of all traffic that comes from this place, if the scores send it to the provider. Otherwise 0. */
  chosenShare(provider: Provider, place: Place): number {
    return this.choose(place).best === provider ? place.share : 0;
  }

  /** The score that the service would show for a level, 0..100. Null if it would show none. */
  scoreOf(levelKey: string): number | null {
    return this.shown.get(levelKey)?.score ?? null;
  }

  get levelKeys(): Iterable<string> {
    return this.shown.keys();
  }

  private decide(place: Place): Choice {
    const { method, currency, country, network } = place;
    const view = this.view.forPayment(country, network ?? undefined);
    const segments = segmentsOf(view, method, currency);
    const input: EvaluationInput = {
      transaction: { amount: 5000, currency, country, payment_method: method },
      policy: NOTHING_MATCHED,
      pricing: null,
      costAware: false,
    };
    const expected = new Map<Provider, number>();
    const evaluations = PROVIDERS.map((provider) => {
      const segment: Segment = segments.of(provider);
      expected.set(provider, segment.approvalProbability);
      return new ProviderEvaluation(provider, segment, input);
    });
    const ranking = { policy: NOTHING_MATCHED, splitPick: null, amount: 5000, failedProvider: null };
    const ranked = rankEligible(evaluations, ranking).map(({ provider }) => provider as Provider);
    return { best: ranked[0] ?? null, ranked, expected };
  }

  private follow(snapshots: readonly HealthSnapshot[]): void {
    for (const snapshot of snapshots) {
      const key = snapshot.segment_key;
      const before = this.shown.get(key);
      if (before === snapshot) continue;
      this.shown.set(key, snapshot);
      const from = before?.state ?? "unknown";
      if (from !== snapshot.state) this.listener?.onState(key, from, snapshot.state);
    }
  }

  /** An open alert that becomes critical is reported again. The listener hears only the first report. */
  private followAlert(alert: OutcomeAlertChange): void {
    const name = `${alert.kind}:${alert.segmentKey}`;
    if (alert.open === null) this.openAlerts.delete(name);
    else if (!this.openAlerts.has(name)) {
      this.openAlerts.add(name);
      this.listener?.onAlert(alert);
    }
  }
}
