import type { Pool } from "pg";

/** This node's number among all nodes of the database, below `numbers`; migrations/0017_decision_ids.sql. */
export async function claimNodeNumber(pool: Pool, nodeId: string, numbers: number): Promise<number> {
  const { rows } = await pool.query<{ number: number }>("select claim_node_number($1, $2) as number", [
    nodeId,
    numbers,
  ]);
  return (rows[0] as { number: number }).number;
}

/** The secret that all nodes share: `proposed`, where no node was there before. */
export async function decisionIdSecret(pool: Pool, proposed: Buffer): Promise<Buffer> {
  await pool.query("insert into decision_id_key (key) values ($1) on conflict do nothing", [proposed]);
  const { rows } = await pool.query<{ key: Buffer }>("select key from decision_id_key");
  return (rows[0] as { key: Buffer }).key;
}
