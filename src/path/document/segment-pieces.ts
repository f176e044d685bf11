import { limitScore, type Segment } from "../../domain/decision/evaluation.js";
import { roundTo2 } from "../../domain/vocabulary/rounding.js";
import { HEALTH_STATES } from "../../domain/vocabulary/vocabulary.js";
import { writtenOnce, inOnePiece } from "./json-text.js";

/**
 * The JSON texts of one health segment for replies and documents. The pieces named `next…` begin with a comma, to
 * follow another piece.
 */
export interface SegmentPieces {
  /** `"provider_1"` */
  readonly provider: string;
  /** The provider's member of `provider_health`: `"provider_1":{"score":…}`. */
  readonly health: string;
  readonly nextHealth: string;
  /**
   * The score without a boost, within 0..100. `score` is the provider's member of `route_scores`: `"provider_1":87.42`.
   */
  readonly routeScore: string;
  readonly score: string;
  readonly nextScore: string;
  /** The middle part of a stored evaluation: `,<health score>,<position of the state>,`. */
  readonly evaluationHealth: string;
  /** The score terms of a stored evaluation, without brackets. */
  readonly evaluationTerms: string;
  /** The whole stored evaluation of an eligible provider that has neither boost nor quote. */
  readonly evaluation: string;
  readonly nextEvaluation: string;
}

export const piecesOf = writtenOnce(({ snapshot, terms, unlimitedScore }: Segment): SegmentPieces => {
  const { score: healthScore, state, confidence, source } = snapshot;
  const provider = JSON.stringify(snapshot.provider);
  const routeScore = String(limitScore(unlimitedScore));
  const score = inOnePiece(provider, ":", routeScore);
  const shown = JSON.stringify({ score: healthScore, state, confidence, source });
  const health = inOnePiece(provider, ":", shown);
  const stateNumber = String(HEALTH_STATES.indexOf(state));
  const evaluationHealth = inOnePiece(",", String(healthScore), ",", stateNumber, ",");
  const evaluationTerms = terms.map(roundTo2).join(",");
  const evaluation = inOnePiece(`[${provider},${routeScore}`, evaluationHealth, `null,${evaluationTerms},0]`);
  return {
    provider,
    health,
    nextHealth: inOnePiece(",", health),
    routeScore,
    score,
    nextScore: inOnePiece(",", score),
    evaluationHealth,
    evaluationTerms,
    evaluation,
    nextEvaluation: inOnePiece(",", evaluation),
  };
});
