import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import type { HealthMonitor } from "../../../../src/domain/health/monitor/monitor.js";
import { bySegment, liveOutcome, smallMonitor, START_MS } from "./segments.js";

const SECOND_MS = 1000;
/** A provider that routing avoids still gets a payment this often, for example through a policy's split. */
export const TRICKLE_SECONDS = 6;
export const PLACES: readonly Partial<LiveOutcomes>[] = [
  { currency: "USD", country: "US" },
  { currency: "EUR", country: "DE", cardNetwork: "visa" },
  { currency: "EUR", country: "FR", cardNetwork: "mastercard" },
];

/** A monitor with its own clock and without probes. For a minute, all places of a provider had only good outcomes. */
export class RecoveryClock {
  readonly monitor: HealthMonitor = smallMonitor({ hasProbes: false });
  nowMs = Math.ceil(START_MS / SECOND_MS) * SECOND_MS;

  constructor() {
    this.monitor.warmUp(this.nowMs);
    this.pass(60, (second) => PLACES.map((place) => ({ ...place, count: second % 40 === 0 ? 1 : 20 })));
  }

  /** Lets seconds pass, each with these outcomes. */
  pass(seconds: number, outcomesOf: (second: number) => readonly Partial<LiveOutcomes>[]): void {
    for (let second = 0; second < seconds; second++) {
      this.nowMs += SECOND_MS;
      for (const outcome of outcomesOf(second))
        this.monitor.recordOutcomes(liveOutcome(this.nowMs, outcome), this.nowMs);
      this.monitor.tick(this.nowMs);
    }
  }

  /** The scores of all segments and levels, by key. */
  scores(): Map<string, number> {
    const details = this.monitor.details("ws_a", "live");
    return new Map(details.map(({ segmentKey, snapshot }) => [segmentKey, snapshot?.score ?? NaN]));
  }

  score(currency: string): number {
    return bySegment(this.monitor.overlay("ws_a", "live"), `provider_1:card:${currency}`).score;
  }
}

/** Every TRICKLE_SECONDS, one outcome in the next of the places. */
export const trickle =
  (outcome: Partial<LiveOutcomes>, places = PLACES) =>
  (second: number): Partial<LiveOutcomes>[] =>
    second % TRICKLE_SECONDS === 0
      ? [{ ...places[(second / TRICKLE_SECONDS) % places.length], ...outcome }]
      : [];
