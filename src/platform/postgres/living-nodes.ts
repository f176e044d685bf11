import type { ClientBase } from "pg";
import { readMigrationHeads } from "./migration-heads.js";

/** A migration would break a node that is alive. The message says in one line what to do. */
export class LivingNodesError extends Error {}

/** The most nodes that the message names, those seen last first. */
const NAMED_MAX = 3;

/**
 * NODE-6: rejects with LivingNodesError if a pending migration of `dir` would break a living node. Call it while you
 * hold the lock of migrations. A node of this version has already applied the migration, so living nodes must be of an
 * earlier version. `ownNodeId` is not counted, because its row is from before this start.
 */
export async function assertMigrationsSurvived(
  client: ClientBase,
  dir: string,
  ownNodeId: string | null,
): Promise<void> {
  const breaking = (await readMigrationHeads(dir)).filter(({ runningNodes }) => runningNodes === "breaking");
  if (breaking.length === 0) return;
  const done = await migrationsDone(client);
  const next = breaking.find(({ id }) => !done.has(id));
  if (next === undefined) return;
  const alive = await livingNodes(client, ownNodeId);
  if (alive.length === 0) return;
  const named = alive.slice(0, NAMED_MAX).map(({ node, seconds }) => `${node}, seen ${seconds} s ago`);
  if (alive.length > NAMED_MAX) named.push("…");
  throw new LivingNodesError(
    `the migration ${next.file} breaks running nodes of earlier versions, and ${alive.length} may be alive (${named.join("; ")}): stop them, or wait until each was silent for ten minutes, then start this one again`,
  );
}

async function migrationsDone(client: ClientBase): Promise<Set<number>> {
  if (!(await hasTable(client, "migrations"))) return new Set();
  const { rows } = await client.query<{ id: number }>("select id from migrations");
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns the living nodes, the one that was seen last first. A node counts as dead after ten minutes of silence, as in
 * claim_node_number (NODE-5).
 */
export async function livingNodes(
  client: ClientBase,
  ownNodeId: string | null,
): Promise<{ node: string; seconds: number }[]> {
  if (!(await hasTable(client, "journal_positions"))) return [];
  const { rows } = await client.query<{ node: string; seconds: number }>(
    `select node_id as node, greatest(0, extract(epoch from now() - updated_at))::integer as seconds
     from journal_positions
     where not number_given_back and updated_at > now() - interval '10 minutes' and node_id is distinct from $1
     order by updated_at desc`,
    [ownNodeId],
  );
  return rows;
}

async function hasTable(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>("select to_regclass($1) is not null as known", [
    name,
  ]);
  return rows[0]?.known === true;
}
