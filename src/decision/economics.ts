import { WHOLE_AMOUNT_BPS } from "../policy/compile-action.js";
import type { Optimization } from "../policy/policy-evaluation.js";
import type { Quote } from "../pricing/pricing-view.js";
import type { OptimizationMode } from "../shared/vocabulary.js";
import { roundTo2 } from "./segment.js";

/** spec `economics`. */
export interface Economics {
  /** Minor units, two decimals. */
  readonly expected_value_minor: number;
  readonly model_version: "deterministic-v2";
  readonly optimization_mode: OptimizationMode;
}

/** contract §4: `balanced` is the default mode, also for the figures of a decision that no optimize_for rule matched. */
const DEFAULT_MODE: OptimizationMode = "balanced";
export const BPS = 10_000;

/** contract §4 "Model v2": EV = p·(amount·margin_bps/10⁴ − cost), minor units. */
export function expectedValue(
  probability: number,
  amount: number,
  marginBps: number,
  costMinor: number,
): number {
  return probability * ((amount * marginBps) / BPS - costMinor);
}

export function economicsOf(
  quote: Quote,
  approvalProbability: number,
  amount: number,
  optimization: Optimization | null,
): Economics {
  const marginBps = optimization?.marginBps ?? WHOLE_AMOUNT_BPS;
  const value = expectedValue(approvalProbability, amount, marginBps, quote.estimated_cost_minor);
  return {
    expected_value_minor: roundTo2(value),
    model_version: "deterministic-v2",
    optimization_mode: optimization?.mode ?? DEFAULT_MODE,
  };
}
