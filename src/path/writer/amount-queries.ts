import type { Pool } from "pg";
import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";

/** One node's share of a merchant's counted amounts in a currency. */
export interface StoredAmounts {
  workspaceId: string;
  mode: Mode;
  merchantId: string;
  currency: string;
  nodeId: string;
  decisionCount: number;
  /** AmountCounts as JSON (path/writer/amount-tracker.ts). */
  sketch: string;
}

interface AmountRow {
  workspace_id: string;
  mode: number;
  merchant_id: string;
  currency: string;
  node_id: string;
  decision_count: string;
  sketch: Buffer;
}

/** Replaces the given shares. */
export async function saveAmounts(pool: Pool, amounts: readonly StoredAmounts[]): Promise<void> {
  await pool.query(
    `insert into merchant_amounts (workspace_id, mode, merchant_id, currency, node_id, decision_count, sketch, updated_at)
     select workspace_id, mode, merchant_id, currency, node_id, decision_count, sketch, now()
     from unnest($1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bytea[])
       as share (workspace_id, mode, merchant_id, currency, node_id, decision_count, sketch)
     where not is_erased(workspace_id, merchant_id)
     on conflict (workspace_id, mode, merchant_id, currency, node_id)
     do update set decision_count = excluded.decision_count, sketch = excluded.sketch, updated_at = excluded.updated_at`,
    [
      amounts.map(({ workspaceId }) => idToHex(workspaceId)),
      amounts.map(({ mode }) => MODES.indexOf(mode)),
      amounts.map(({ merchantId }) => merchantId),
      amounts.map(({ currency }) => currency),
      amounts.map(({ nodeId }) => nodeId),
      amounts.map(({ decisionCount }) => decisionCount),
      amounts.map(({ sketch }) => Buffer.from(sketch)),
    ],
  );
}

/**
 * Finds the merchants with a share that changed within `withinSeconds`. Loads their shares of all nodes and currencies.
 */
export async function loadChangedAmounts(pool: Pool, withinSeconds: number): Promise<StoredAmounts[]> {
  const { rows } = await pool.query<AmountRow>(
    `select workspace_id, mode, merchant_id, currency, node_id, decision_count, sketch
     from merchant_amounts
     where (workspace_id, mode, merchant_id) in (
       select workspace_id, mode, merchant_id from merchant_amounts
       where updated_at > now() - make_interval(secs => $1))
       and not is_erased(workspace_id, merchant_id)`,
    [withinSeconds],
  );
  return rows.map((row) => ({
    workspaceId: idFromHex("ws", row.workspace_id),
    mode: MODES[row.mode] as Mode,
    merchantId: row.merchant_id,
    currency: row.currency,
    nodeId: row.node_id,
    decisionCount: Number(row.decision_count),
    sketch: row.sketch.toString(),
  }));
}
