import { SCORE_TERMS } from "../../../domain/decision/score-terms.js";
import type { ProviderEvaluation } from "../../../client/wire-types.js";
import type { ScoreComponents } from "../../../client/score-components.js";

export type ScorePartName = keyof ScoreComponents;

/** The colours of the terms, by position. */
const TOKENS = ["--series-1", "--series-2", "--series-5", "--series-6", "--series-7", "--series-4"] as const;

/** SCORE-5: the terms of a route score in the order in which they are drawn. */
export const SCORE_PARTS = SCORE_TERMS.map(({ name, english }, at) => ({
  name,
  label: english,
  token: TOKENS[at % TOKENS.length] as (typeof TOKENS)[number],
}));

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
