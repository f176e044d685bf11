import type { HealthSnapshot } from "../health/snapshot.js";

interface ScoreTermRow {
  /** The term's name in the API. */
  readonly name: string;
  /** The term's name in the dashboard. */
  readonly english: string;
  /** The term's points. `health` is the health that routing counts. `before` is the sum of the terms above this one. */
  points(snapshot: HealthSnapshot, health: number, before: number): number;
}

const HEALTH_WEIGHT = 0.5;
const APPROVAL_WEIGHT = 0.35;
const LATENCY_WEIGHT = 0.15;
const LATENCY_MS_PER_POINT = 20;
const NEUTRAL_SCORE = 50;
const DEGRADED_POINTS = -15;

/**
 * SCORE-1, v1: the terms of a route score that depend on the health snapshot alone, in points. Their sum is the score
 * before it is rounded and limited to 0..100. They are computed, added, stored and shown in this order.
 */
export const SEGMENT_TERMS = [
  { name: "health", english: "Health", points: (_, health) => HEALTH_WEIGHT * health },
  {
    name: "approval_rate",
    english: "Approval rate",
    points: ({ approval_rate }) => APPROVAL_WEIGHT * 100 * approval_rate,
  },
  {
    name: "latency",
    english: "Latency",
    points: ({ p95_latency_ms }) =>
      LATENCY_WEIGHT * Math.min(100, Math.max(0, 100 - p95_latency_ms / LATENCY_MS_PER_POINT)),
  },
  {
    // A confidence below 100 moves the sum of the earlier terms towards 50.
    name: "confidence_adjustment",
    english: "Confidence",
    points: ({ confidence }, _, before) => (before - NEUTRAL_SCORE) * (confidence / 100 - 1),
  },
  {
    name: "degraded_penalty",
    english: "Degraded",
    points: ({ state }) => (state === "degraded" ? DEGRADED_POINTS : 0),
  },
] as const satisfies readonly ScoreTermRow[];

/** SCORE-3: the term that a policy adds. */
const BOOST = { name: "preference_boost", english: "Preference" } as const;

/** SCORE-5: all terms of a route score. */
export const SCORE_TERMS = [...SEGMENT_TERMS, BOOST] as const;

/** The terms of `route_score` in points. The score is their sum, limited to 0..100. */
export type ScoreComponents = Record<(typeof SCORE_TERMS)[number]["name"], number>;

/** SCORE-1: computes a snapshot's terms, in the order of SEGMENT_TERMS, and their sum, all unrounded. */
export function scoreTerms(snapshot: HealthSnapshot, health: number): { terms: number[]; sum: number } {
  const terms: number[] = [];
  let sum = 0;
  for (const { points } of SEGMENT_TERMS) {
    const term = points(snapshot, health, sum);
    terms.push(term);
    sum += term;
  }
  return { terms, sum };
}

/** Names the points in `terms`, which are in the order of SEGMENT_TERMS, and the points of the boost. */
export function scoreComponents(terms: readonly number[], boost: number): ScoreComponents {
  const points = [...terms, boost];
  return Object.fromEntries(SCORE_TERMS.map(({ name }, at) => [name, points[at]])) as ScoreComponents;
}
