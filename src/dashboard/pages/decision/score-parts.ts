import type { ProviderEvaluation } from "../../../client/wire-types.js";
import type { ScoreComponents } from "../../../client/score-components.js";

export type ScorePartName = keyof ScoreComponents;

/** SCORE-5: the terms of a route score in the order in which they are drawn. */
export const SCORE_PARTS = [
  { name: "health", label: "Health", token: "--series-1" },
  { name: "approval_rate", label: "Approval rate", token: "--series-2" },
  { name: "latency", label: "Latency", token: "--series-5" },
  { name: "preference_boost", label: "Preference", token: "--series-4" },
  { name: "confidence_adjustment", label: "Confidence", token: "--series-6" },
  { name: "degraded_penalty", label: "Degraded", token: "--series-7" },
] as const satisfies readonly { name: ScorePartName; label: string; token: `--${string}` }[];

export interface DrawnPart {
  name: ScorePartName;
  label: string;
  token: `--${string}`;
  /** Negative for a loss. */
  points: number;
  /** The start and the length of the part, in points from 0. */
  from: number;
  length: number;
}

/**
 * Stacks the gains from 0. The losses go backwards from the end of the gains, so that the last one ends at the score.
 */
export function drawnParts(components: ProviderEvaluation["components"]): DrawnPart[] {
  if (components === null) return [];
  const parts = SCORE_PARTS.map((part) => ({ ...part, points: components[part.name] }));
  let at = 0;
  const gains = parts
    .filter(({ points }) => points > 0)
    .map((part) => {
      const from = at;
      at += part.points;
      return { ...part, from, length: part.points };
    });
  const losses = parts
    .filter(({ points }) => points < 0)
    .map((part) => {
      at += part.points;
      return { ...part, from: Math.max(at, 0), length: Math.min(-part.points, at - part.points) };
    });
  return [...gains, ...losses].filter(({ length }) => length > 0);
}
