import type { Pool } from "pg";
import type { MoveStep } from "../../domain/vocabulary/vocabulary.js";

export interface UnseenMove {
  workspaceId: string;
  step: MoveStep;
}

/** The cells whose keys a node accepts, and the steps of moves that the node has not recorded yet. Ids are UUIDs. */
export async function readMoves(
  pool: Pool,
  nodeId: string,
): Promise<{ guests: string[]; unseen: UnseenMove[] }> {
  const { rows } = await pool.query<{ guests: string[]; unseen: UnseenMove[] }>(
    `select
       array(select distinct unnest(cells) from workspace_moves where step <> 'moved') as guests,
       coalesce((
         select json_agg(json_build_object('workspaceId', workspace_id, 'step', step)) from workspace_moves m
         where step in ('arriving', 'moved') and not exists (
           select from move_seen s where s.workspace_id = m.workspace_id and s.node_id = $1 and s.step = m.step)
       ), '[]') as unseen`,
    [nodeId],
  );
  return rows[0] ?? { guests: [], unseen: [] };
}

export async function markSeen(pool: Pool, nodeId: string, { workspaceId, step }: UnseenMove): Promise<void> {
  await pool.query(
    "insert into move_seen (workspace_id, node_id, step) values ($1, $2, $3) on conflict do nothing",
    [workspaceId, nodeId, step],
  );
}
