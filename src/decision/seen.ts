import type { DecisionMode } from "../shared/vocabulary.js";
import type { DecisionContext } from "./decision.js";

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
  /** The merchant's pricing; null where it had none. */
  pricing_version: string | null;
  /** Content hash of the health group (health/recorded-group.ts), base64url. */
  health: string;
}

/** JSON of what `context` gave a decision; `healthHash` is of base64url characters. */
export function renderSeen(context: DecisionContext, healthHash: string): string {
  return (
    `{"risk_block_threshold":${context.riskBlockThreshold}` +
    `,"normal_amount_max_minor":${context.normalAmountMaxMinor}` +
    `,"default_decision_mode":"${context.defaultDecisionMode}"` +
    `,"pricing_version":null,"health":"${healthHash}"}`
  );
}
