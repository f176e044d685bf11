import type { Pool } from "pg";

/**
 * Claims for this node a number below `numbers` that no other node of the database has (migrations/0003_nodes.sql).
 * `lastSequence` is the last sequence of this node's journal. While the journal has records that PostgreSQL lacks, no
 * other node can take the number.
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

/** Releases the number. Another node may get it if no other number is free. */
export async function giveBackNodeNumber(pool: Pool, nodeId: string): Promise<void> {
  await pool.query("update journal_positions set number_given_back = true where node_id = $1", [nodeId]);
}

/** What all nodes of a database share for the key of decision ids. */
export interface DecisionIdKey {
  /** The secret from which the key is made if SECRET_KEY is unset. */
  secret: Buffer;
  /** The fingerprint of the key that the first node used. */
  fingerprint: Buffer;
}

/** Returns the shared key, which is `proposed` if no node has stored one before. */
export async function sharedDecisionIdKey(pool: Pool, proposed: DecisionIdKey): Promise<DecisionIdKey> {
  await pool.query(
    "insert into decision_id_key (secret, fingerprint) values ($1, $2) on conflict do nothing",
    [proposed.secret, proposed.fingerprint],
  );
  const { rows } = await pool.query<DecisionIdKey>("select secret, fingerprint from decision_id_key");
  return rows[0] as DecisionIdKey;
}
