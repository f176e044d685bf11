import { HealthMonitor } from "../../src/domain/health/monitor/monitor.js";
import type { LiveOutcomes } from "../../src/domain/health/monitor/live-outcome.js";
import { CARD_NETWORKS } from "../../src/domain/vocabulary/vocabulary.js";
import { COUNTRIES, CURRENCIES, pick, PROVIDERS } from "./engine-policy.js";

export interface LearningFigure {
  /** The time that provider health takes to learn one outcome: microseconds, median over the seconds. */
  learnUs: number;
  /** The places that the outcomes belong to: provider, currency, country and card network. */
  places: number;
}

const OUTCOMES_PER_SECOND = 2000;
const WARM_UP_SECONDS = 20;
const SECONDS = 41;
const START_MS = Date.UTC(2026, 10, 20, 12);

/**
 * Measures what the prober's thread pays for each reported outcome. Each simulated second brings 2,000 outcomes, of
 * which one in eight is a decline and one in 32 a technical failure. The seconds' own work, which does not grow with the
 * outcomes, is not part of the figure.
 */
export function measureLearning(): LearningFigure {
  const monitor = new HealthMonitor({
    providers: PROVIDERS,
    paymentMethods: ["card"],
    currencies: CURRENCIES,
    seed: 1,
  });
  monitor.warmUp(START_MS);
  const timesUs: number[] = [];
  for (let second = -WARM_UP_SECONDS; second < SECONDS; second++) {
    const nowMs = START_MS + (second + WARM_UP_SECONDS + 1) * 1000;
    const outcomes = outcomesOf(second + WARM_UP_SECONDS, nowMs - 1000);
    const startedAt = process.hrtime.bigint();
    for (const outcome of outcomes) monitor.recordOutcomes(outcome, nowMs);
    const elapsedUs = Number(process.hrtime.bigint() - startedAt) / 1000;
    if (second >= 0) timesUs.push(elapsedUs / OUTCOMES_PER_SECOND);
    monitor.tick(nowMs);
    monitor.takeChangedOwners();
  }
  return {
    learnUs: timesUs.toSorted((a, b) => a - b)[SECONDS >> 1] as number,
    places: PROVIDERS.length * CURRENCIES.length * COUNTRIES.length * CARD_NETWORKS.length,
  };
}

/** Walks over all places and kinds of outcomes in an order that looks random. */
function outcomesOf(second: number, atMs: number): LiveOutcomes[] {
  return Array.from({ length: OUTCOMES_PER_SECOND }, (_, index) => {
    const draw = Math.imul(second * OUTCOMES_PER_SECOND + index + 1, 0x9e3779b1) >>> 0;
    const hasFailed = draw >>> 27 === 0;
    const isDeclined = !hasFailed && draw >>> 29 === 1;
    return {
      workspaceId: "ws_00000000000000000000000001",
      mode: "live",
      provider: pick(PROVIDERS, draw >>> 3),
      paymentMethod: "card",
      currency: pick(CURRENCIES, draw >>> 5),
      country: pick(COUNTRIES, draw >>> 8),
      cardNetwork: pick(CARD_NETWORKS, draw >>> 12),
      outcome: hasFailed ? "technical_failed" : isDeclined ? "soft_declined" : "approved",
      technicalFailureType: hasFailed ? "5xx" : null,
      // Held against the provider, so that it counts in everything that is learnt.
      blame: "provider",
      latencyMs: 300 + (draw & 255),
      atMs,
      count: 1,
    };
  });
}
