import { LIST_PRICES_NAME } from "../pricing/list-prices.js";
import { type RecordedPricing, recordPricing } from "../pricing/recorded-quotes.js";
import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import { inOnePiece } from "../vocabulary/in-one-piece.js";
import { tableOf } from "../vocabulary/table-of.js";
import { DECISION_MODES, type DecisionMode } from "../vocabulary/vocabulary.js";
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

/**
 * JSON of what `context` gave a decision on `transaction`; `providers` are all of the deployment's, `healthHash` is of
 * base64url characters.
 */
export function renderSeen(
  context: DecisionContext,
  transaction: Transaction,
  evaluations: readonly ProviderEvaluation[],
  providers: readonly ProviderId[],
  healthHash: string,
): string {
  const pricing = recordPricing(context.pricing, providers, transaction, evaluations);
  return (
    `{"risk_block_threshold":${context.riskBlockThreshold}` +
    `,"normal_amount_max_minor":${context.normalAmountMaxMinor}` +
    DEFAULT_MODES[context.defaultDecisionMode] +
    `${pricing === LIST_PRICES_NAME ? LIST_PRICES_JSON : JSON.stringify(pricing)},"health":"${healthHash}"}`
  );
}

const DEFAULT_MODES = tableOf(DECISION_MODES, (mode) =>
  inOnePiece(',"default_decision_mode":"', mode, '","pricing":'),
);
const LIST_PRICES_JSON = JSON.stringify(LIST_PRICES_NAME);
