import type { HealthState } from "../vocabulary/vocabulary.js";
import { unreachable } from "../vocabulary/unreachable.js";
import type { RecentFailures } from "./failure-window.js";
import { HEALTH_LIMITS } from "./limits.js";

export type ScoredState = Exclude<HealthState, "unknown">;

/** HLTH-18, best first. A score belongs to the first band that it reaches. */
export const STATE_BANDS = [
  { state: "healthy", scoreMin: 85 },
  { state: "watch", scoreMin: 70 },
  { state: "degraded", scoreMin: 50 },
  { state: "critical", scoreMin: 25 },
  { state: "unavailable", scoreMin: 0 },
] as const satisfies readonly { state: ScoredState; scoreMin: number }[];

const RANK = Object.fromEntries(STATE_BANDS.map(({ state }, rank) => [state, rank])) as Record<
  ScoredState,
  number
>;

/** The rank of a state: 0 for healthy up to 4 for unavailable. */
export function stateRank(state: ScoredState): number {
  return RANK[state];
}

/** Returns the state of a score 0..100, without hysteresis. */
export function stateOfScore(score: number): ScoredState {
  return STATE_BANDS.find((band) => score >= band.scoreMin)?.state ?? "unavailable";
}

/** How long the circuit was last open, and when it closed. A quick relapse doubles `openMs`. */
interface CircuitBackoff {
  openMs: number;
  closedAtMs: number;
}

/**
 * Consecutive ticks that support a change of state. In a fall, `confirmed` is the best state that these ticks scored.
 */
type Trend = { toward: "worse"; ticks: number; confirmed: ScoredState } | { toward: "better"; ticks: number };

/** The state of one segment; immutable. */
export type SegmentHealth =
  | { kind: "unknown"; backoff: CircuitBackoff | null }
  | { kind: "scored"; state: ScoredState; trend: Trend | null; backoff: CircuitBackoff | null }
  | { kind: "circuit_open"; untilMs: number; openMs: number }
  | { kind: "half_open"; goodProbes: number; openMs: number }
  /** The circuit has closed, but the window has too few samples for a score. The segment is shown as degraded. */
  | { kind: "recovering"; backoff: CircuitBackoff };

type ClosedHealth = Extract<SegmentHealth, { backoff: CircuitBackoff | null }>;

/**
 * A `sample` is one probe or outcome at its own time. A `tick` ends a probe interval. Only ticks change the state by
 * the score; samples change only the circuit.
 */
type Observation =
  | { kind: "sample"; technicalFailure: boolean; recent: RecentFailures }
  | { kind: "tick"; score: number; samples: number; lastSampleAtMs: number; recent: RecentFailures };

export const INITIAL_HEALTH: SegmentHealth = { kind: "unknown", backoff: null };

/** Returns the state that the snapshot shows. */
export function shownState(health: SegmentHealth): HealthState {
  switch (health.kind) {
    case "unknown":
      return "unknown";
    case "scored":
      return health.state;
    case "recovering":
      return "degraded";
    case "circuit_open":
    case "half_open":
      return "unavailable";
    default:
      return unreachable(health);
  }
}

/**
 * HLTH-18 to HLTH-24. Returns the same object if nothing changed.
 *
 * | State | good sample | failed sample | tick with enough samples | tick with few samples | tick with stale samples |
 * |---|---|---|---|---|---|
 * | `unknown` ¹ | – | – | `scored`, by the score | – | – |
 * | `scored` ¹ | – | – | `scored`, by hysteresis ² | `unknown` | `unknown` |
 * | `recovering` ¹ | – | – | `scored`, from degraded by hysteresis ² | – | `unknown` |
 * | `circuit_open` before `untilMs` | – | – | – | – | – |
 * | `circuit_open` from `untilMs` on | as `half_open` | as `half_open` | `half_open` | `half_open` | `half_open` |
 * | `half_open` | `recovering` after `circuitGoodProbes` | `circuit_open`, twice as long | – | – | – |
 *
 * ¹ Any sample or tick whose recent failures trip the circuit leads to `circuit_open` instead.
 * ² A score becomes worse after `worsenTicks` ticks, and better by one state after `improveTicks` ticks.
 *
 * The contract leaves these points open, and this machine settles them:
 * - The circuit outranks the score and the sample count. An open or half-open segment is unavailable, even if its
 *   window has few samples.
 * - A segment leaves unknown with its first score, and enters unknown at once.
 * - A fall may skip states. It ends at the best of the states that its ticks scored.
 * - Each improvement by one state needs `improveTicks` ticks of its own.
 * - A circuit that opens from half-open opens twice as long as before. So does one that opens within
 *   `circuitBackoffResetMs` of closing.
 */
export function step(health: SegmentHealth, observation: Observation, nowMs: number): SegmentHealth {
  switch (health.kind) {
    case "circuit_open": {
      if (nowMs < health.untilMs) return health;
      return step({ kind: "half_open", goodProbes: 0, openMs: health.openMs }, observation, nowMs);
    }
    case "half_open":
      return observation.kind === "sample"
        ? stepHalfOpen(health, observation.technicalFailure, nowMs)
        : health;
    case "unknown":
    case "scored":
    case "recovering":
      if (trips(observation.recent)) return open(nextOpenMs(health.backoff, nowMs), nowMs);
      return observation.kind === "tick" ? stepClosed(health, observation, nowMs) : health;
    default:
      return unreachable(health);
  }
}

/**
 * HLTH-26: without probes, nothing tests a half-open circuit, because the provider gets no payments. So a half-open
 * circuit, or an open one whose time is over, becomes `recovering`, and payments test it. A quick relapse doubles the
 * next open time, as it does with probes.
 */
export function closeUntested(health: SegmentHealth, nowMs: number): SegmentHealth {
  const isDue = health.kind === "half_open" || (health.kind === "circuit_open" && nowMs >= health.untilMs);
  return isDue ? { kind: "recovering", backoff: { openMs: health.openMs, closedAtMs: nowMs } } : health;
}

function trips({ samples, technicalFailures }: RecentFailures): boolean {
  return (
    samples >= HEALTH_LIMITS.circuitSamplesMin &&
    technicalFailures >= samples * HEALTH_LIMITS.circuitFailureShareMin
  );
}

function open(openMs: number, nowMs: number): SegmentHealth {
  return { kind: "circuit_open", untilMs: nowMs + openMs, openMs };
}

function doubled(openMs: number): number {
  return Math.min(HEALTH_LIMITS.circuitOpenMsMax, openMs * 2);
}

function nextOpenMs(backoff: CircuitBackoff | null, nowMs: number): number {
  const relapse = backoff !== null && nowMs - backoff.closedAtMs < HEALTH_LIMITS.circuitBackoffResetMs;
  return relapse ? doubled(backoff.openMs) : HEALTH_LIMITS.circuitOpenMs;
}

function stepHalfOpen(
  health: Extract<SegmentHealth, { kind: "half_open" }>,
  technicalFailure: boolean,
  nowMs: number,
): SegmentHealth {
  if (technicalFailure) return open(doubled(health.openMs), nowMs);
  const goodProbes = health.goodProbes + 1;
  if (goodProbes < HEALTH_LIMITS.circuitGoodProbes) return { ...health, goodProbes };
  return { kind: "recovering", backoff: { openMs: health.openMs, closedAtMs: nowMs } };
}

function stepClosed(
  health: ClosedHealth,
  tick: Extract<Observation, { kind: "tick" }>,
  nowMs: number,
): SegmentHealth {
  const { backoff } = health;
  const stale = nowMs - tick.lastSampleAtMs >= HEALTH_LIMITS.staleMs;
  const scorable = tick.samples >= HEALTH_LIMITS.classifySamplesMin && !stale;
  switch (health.kind) {
    case "unknown":
      return scorable ? { kind: "scored", state: stateOfScore(tick.score), trend: null, backoff } : health;
    case "recovering":
      if (stale) return { kind: "unknown", backoff };
      return scorable
        ? stepScored({ kind: "scored", state: "degraded", trend: null, backoff }, tick.score)
        : health;
    case "scored":
      return scorable ? stepScored(health, tick.score) : { kind: "unknown", backoff };
    default:
      return unreachable(health);
  }
}

function stepScored(health: Extract<SegmentHealth, { kind: "scored" }>, score: number): SegmentHealth {
  const { state, trend } = health;
  const scoredState = stateOfScore(score);
  if (RANK[scoredState] > RANK[state]) return worsen(health, scoredState);

  const better = STATE_BANDS[RANK[state] - 1];
  if (better !== undefined && score >= better.scoreMin + HEALTH_LIMITS.improveMarginPoints) {
    const ticks = (trend?.toward === "better" ? trend.ticks : 0) + 1;
    if (ticks < HEALTH_LIMITS.improveTicks) return { ...health, trend: { toward: "better", ticks } };
    return { ...health, state: better.state, trend: null };
  }
  return trend === null ? health : { ...health, trend: null };
}

function worsen(health: Extract<SegmentHealth, { kind: "scored" }>, scoredState: ScoredState): SegmentHealth {
  const before = health.trend?.toward === "worse" ? health.trend : null;
  const confirmed =
    before !== null && RANK[before.confirmed] < RANK[scoredState] ? before.confirmed : scoredState;
  const ticks = (before?.ticks ?? 0) + 1;
  if (ticks < HEALTH_LIMITS.worsenTicks) return { ...health, trend: { toward: "worse", ticks, confirmed } };
  // This tick's score is worse than the confirmed state, so the tick is the first of a further fall.
  const trend: Trend | null =
    scoredState === confirmed ? null : { toward: "worse", ticks: 1, confirmed: scoredState };
  return { ...health, state: confirmed, trend };
}
