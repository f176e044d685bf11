import type { Pool } from "pg";
import type { DecisionFacts } from "../outcomes/reported-outcome.js";
import { idToHex } from "../shared/ids.js";
import {
  MODES,
  OUTCOMES,
  PAYMENT_METHODS,
  type Mode,
  type Outcome,
  type PaymentMethod,
} from "../shared/vocabulary.js";

/** Which decision is asked for: of another workspace or mode it is not found. */
export interface DecisionKey {
  workspaceId: string;
  mode: Mode;
  /** `dec_…`, well-formed. */
  decisionId: string;
}

interface FactsRow {
  position: number;
  merchant_id: string;
  order_id: string;
  payment_method: number;
  failed_provider: string | null;
  failed_outcome: number | null;
}

const FIND_FACTS = {
  name: "find_decision_facts",
  text: `select k.position::int, d.merchant_id, d.order_id, d.payment_method, r.failed_provider, r.failed_outcome
         from unnest($1::uuid[], $2::smallint[], $3::uuid[]) with ordinality as k (workspace_id, mode, decision_id, position)
         join decisions d on d.workspace_id = k.workspace_id and d.mode = k.mode and d.decision_id = k.decision_id
         left join retried_decisions r
           on r.workspace_id = k.workspace_id and r.mode = k.mode and r.decision_id = k.decision_id`,
};

/** What an outcome needs to know of each decision, by position; null for one that is not stored. */
export async function findDecisionFacts(
  pool: Pool,
  keys: readonly DecisionKey[],
): Promise<(DecisionFacts | null)[]> {
  const { rows } = await pool.query<FactsRow>({
    ...FIND_FACTS,
    values: [
      keys.map(({ workspaceId }) => idToHex(workspaceId)),
      keys.map(({ mode }) => MODES.indexOf(mode)),
      keys.map(({ decisionId }) => idToHex(decisionId)),
    ],
  });
  const facts: (DecisionFacts | null)[] = keys.map(() => null);
  for (const { position, merchant_id, order_id, payment_method, failed_provider, failed_outcome } of rows) {
    const { workspaceId, mode } = keys[position - 1] as DecisionKey;
    facts[position - 1] = {
      workspaceId,
      mode,
      merchantId: merchant_id,
      orderId: order_id,
      paymentMethod: PAYMENT_METHODS[payment_method] as PaymentMethod,
      retryOf:
        failed_provider === null || failed_outcome === null
          ? null
          : { provider: failed_provider, outcome: OUTCOMES[failed_outcome] as Outcome },
    };
  }
  return facts;
}
