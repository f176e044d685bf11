import { WHOLE_AMOUNT_BPS } from "../policy/action-rows.js";
import type { Optimization } from "../policy/policy-evaluation.js";
import type { Quote } from "../pricing/pricing-view.js";
import type { Transaction } from "../vocabulary/decision-request.js";
import type { OptimizationMode } from "../vocabulary/vocabulary.js";

/** The source of a decision's `cost` and `economics`. Basis points and expected value are not rounded yet. */
export interface PrimaryPrice {
  readonly quote: Quote;
  readonly currency: string;
  /** Minor units. */
  readonly expectedValueMinor: number;
  readonly optimizationMode: OptimizationMode;
}

/** COST-11: a decision without a matching optimize_for rule computes its figures in `balanced` mode. */
const DEFAULT_MODE: OptimizationMode = "balanced";
export const BPS = 10_000;

/** COST-7: EV = probability · (amount · marginBps / 10⁴ − costMinor), in minor units. */
export function expectedValue(
  probability: number,
  amount: number,
  marginBps: number,
  costMinor: number,
): number {
  return probability * ((amount * marginBps) / BPS - costMinor);
}

export function priceOf(
  quote: Quote,
  approvalProbability: number,
  { amount, currency }: Transaction,
  optimization: Optimization | null,
): PrimaryPrice {
  const marginBps = optimization?.marginBps ?? WHOLE_AMOUNT_BPS;
  return {
    quote,
    currency,
    expectedValueMinor: expectedValue(approvalProbability, amount, marginBps, quote.estimated_cost_minor),
    optimizationMode: optimization?.mode ?? DEFAULT_MODE,
  };
}
