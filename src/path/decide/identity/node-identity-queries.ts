import type { Pool } from "pg";

/**
 * This node's number among all nodes of the database, below `numbers`; migrations/0003_nodes.sql. `lastSequence` is
 * that of its journal: what it owes keeps its number from being taken.
 */
export async function claimNodeNumber(
  pool: Pool,
  nodeId: string,
  numbers: number,
  lastSequence: number,
): Promise<number> {
  const { rows } = await pool.query<{ number: number }>("select claim_node_number($1, $2, $3) as number", [
    nodeId,
    numbers,
    lastSequence,
  ]);
  return (rows[0] as { number: number }).number;
}

/** Another node may have the number, where no other is left. */
export async function giveBackNodeNumber(pool: Pool, nodeId: string): Promise<void> {
  await pool.query("update journal_positions set number_given_back = true where node_id = $1", [nodeId]);
}

/** What all nodes of the database share. */
export interface DecisionIdKey {
  /** Behind decision ids where SECRET_KEY is unset. */
  secret: Buffer;
  /** Of the key that the first node made decision ids with. */
  fingerprint: Buffer;
}

/** `proposed`, where no node was there before. */
export async function sharedDecisionIdKey(pool: Pool, proposed: DecisionIdKey): Promise<DecisionIdKey> {
  await pool.query(
    "insert into decision_id_key (secret, fingerprint) values ($1, $2) on conflict do nothing",
    [proposed.secret, proposed.fingerprint],
  );
  const { rows } = await pool.query<DecisionIdKey>("select secret, fingerprint from decision_id_key");
  return rows[0] as DecisionIdKey;
}
