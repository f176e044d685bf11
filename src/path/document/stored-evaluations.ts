import type { ExclusionReason, ProviderEvaluation } from "../../domain/decision/evaluation.js";
import type { CostComponents, ProviderEvaluationBody } from "../../domain/decision/evaluation-bodies.js";
import { SCORE_TERMS, scoreComponents } from "../../domain/decision/score-terms.js";
import { shownPrice } from "../../domain/decision/shown-cost.js";
import type { PricingSource } from "../../domain/pricing/pricing-view.js";
import { roundTo6 } from "../../domain/vocabulary/rounding.js";
import { HEALTH_STATES, type HealthState } from "../../domain/vocabulary/vocabulary.js";
import { piecesOf } from "./segment-pieces.js";

type StoredCost = [
  costMinor: number,
  bps: number,
  source: PricingSource,
  approvalProbability: number,
  /** Present if a `max_cost` matched. */
  costLimitChecked?: boolean,
];

const LIMIT_CHECKED = 4;

type PointsOf<Rows extends readonly unknown[]> = { [At in keyof Rows]: number };

/** The stored form of one evaluation. It has no field names, so it takes a third of the bytes. */
export type StoredEvaluation = [
  provider: string,
  routeScore: number,
  healthScore: number,
  /** Position in HEALTH_STATES. */
  healthState: number,
  exclusionReason: ExclusionReason | null,
  ...components: [
    /** The points of SCORE_TERMS. */
    ...PointsOf<typeof SCORE_TERMS>,
    /** Present on deterministic-v2. */
    cost?: StoredCost,
  ],
];

/** Writes a StoredEvaluation[] as JSON. Most evaluations are ready pieces of their segments. */
export function writeEvaluations(evaluations: readonly ProviderEvaluation[]): string {
  let json = "";
  for (const evaluation of evaluations) {
    const { segment, exclusionReason, routeScore, preferenceBoost, quote } = evaluation;
    const pieces = piecesOf(segment);
    if (exclusionReason === null && preferenceBoost === 0 && quote === null) {
      json += json === "" ? `[${pieces.evaluation}` : pieces.nextEvaluation;
      continue;
    }
    json += json === "" ? "[" : ",";
    json += `[${pieces.provider},`;
    json += preferenceBoost === 0 ? pieces.routeScore : routeScore;
    json += pieces.evaluationHealth;
    json += exclusionReason === null ? "null," : `"${exclusionReason}",`;
    json += pieces.evaluationTerms;
    json += `,${preferenceBoost}`;
    if (quote !== null) {
      const { estimated_cost_minor, effective_bps, pricing_source } = quote;
      json += `,[${estimated_cost_minor},${effective_bps},"${pricing_source}"`;
      json += `,${roundTo6(segment.approvalProbability)}`;
      const { costLimitChecked } = evaluation;
      json += costLimitChecked === null ? "]" : `,${costLimitChecked}]`;
    }
    json += "]";
  }
  return json === "" ? "[]" : `${json}]`;
}

/** Converts stored evaluations to the form that reads show. */
export function readEvaluations(stored: readonly StoredEvaluation[]): ProviderEvaluationBody[] {
  return stored.map(([provider, routeScore, healthScore, state, exclusionReason, ...components]) => {
    const points = components.slice(0, SCORE_TERMS.length) as number[];
    const cost = components[SCORE_TERMS.length];
    const limitChecked = cost?.[LIMIT_CHECKED];
    return {
      provider,
      eligible: exclusionReason === null,
      route_score: routeScore,
      health_score: healthScore,
      health_state: HEALTH_STATES[state] as HealthState,
      exclusion_reason: exclusionReason,
      ...(limitChecked === undefined ? {} : { cost_limit_checked: limitChecked }),
      components: {
        ...scoreComponents(points.slice(0, -1), points.at(-1) as number),
        ...(cost === undefined ? {} : readCost(cost)),
      },
    };
  });
}

function readCost([costMinor, bps, source, approvalProbability]: StoredCost): CostComponents {
  return {
    ...shownPrice({ estimated_cost_minor: costMinor, effective_bps: bps, pricing_source: source }),
    pricing_source: source,
    approval_probability: approvalProbability,
  };
}
