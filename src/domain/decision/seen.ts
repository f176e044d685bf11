import { type RecordedPricing, recordPricing } from "../pricing/recorded-quotes.js";
import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import type { DecisionMode } from "../vocabulary/vocabulary.js";
import type { DecisionContext } from "./decision.js";
import type { ProviderEvaluation } from "./evaluation.js";

/**
 * What a decision saw besides its request, as its document keeps it. With the policy that the response names it is
 * enough to make the decision again; health is shared between decisions and named by its hash.
 */
export interface Seen {
  /** 0..100 */
  risk_block_threshold: number;
  /** Minor units. */
  normal_amount_max_minor: number | null;
  default_decision_mode: DecisionMode;
  pricing: RecordedPricing;
  /** Content hash of the health group (domain/health/recorded-group.ts), base64url. */
  health: string;
}

/** What `context` gave a decision on `transaction`. `providers` are all of the deployment's. */
export function seenBy(
  context: DecisionContext,
  transaction: Transaction,
  evaluations: readonly ProviderEvaluation[],
  providers: readonly ProviderId[],
  health: string,
): Seen {
  return {
    risk_block_threshold: context.riskBlockThreshold,
    normal_amount_max_minor: context.normalAmountMaxMinor,
    default_decision_mode: context.defaultDecisionMode,
    pricing: recordPricing(context.pricing, providers, transaction, evaluations),
    health,
  };
}
