import { ERASURE_TUNING } from "../../../domain/vocabulary/tuning/erasures.js";
import { WEEKLY_TABLES } from "../../retention/service.js";
import { addCounts, removeRows, together, type ErasureWork } from "./step.js";
import { DELTA_TABLES, weeksOf, WORKSPACE_TABLES } from "./tables.js";

/**
 * Takes the locks of the functions that fold the figures. A fold in progress could write removed figures back. The
 * statement waits for that fold, and its locks keep the next fold from starting.
 */
export const NO_FOLDS = `select pg_advisory_xact_lock(hashtextextended('fold_facets', 0)),
  pg_advisory_xact_lock(hashtextextended('fold_rollups', 0)),
  pg_advisory_xact_lock(hashtextextended('fold_costs_and_retries', 0))`;

const isOneOf = (tables: readonly string[], table: string): boolean => tables.includes(table);

/** RET-20: removes every row of a workspace. It repeats the removal until no row is left. */
export async function eraseWorkspace(work: ErasureWork): Promise<void> {
  for (let round = 1; ; round++) {
    for (const table of WORKSPACE_TABLES) await removeTable(work, table);
    if (!(await isLeft(work))) return;
    if (round === ERASURE_TUNING.roundsMax) throw new Error("rows of the workspace come again and again");
  }
}

async function removeTable(work: ErasureWork, table: string): Promise<void> {
  if (table === "memberships") return removeMembers(work);
  const where = "workspace_id = $1";
  const values = [work.workspaceId];
  if (isOneOf(WEEKLY_TABLES, table)) {
    for (const week of await weeksOf(work.client, table)) {
      await removeRows(work, { table, from: week, where, values });
    }
  } else if (isOneOf(DELTA_TABLES, table)) {
    await removeRows(work, { table, from: `${table}_rows`, where, values }, NO_FOLDS);
  } else await removeRows(work, { table, from: table, where, values });
}

/**
 * RET-20: removes the workspace's members. A user who has no other workspace is removed too, except a platform
 * administrator.
 */
async function removeMembers({ client, erasureId, workspaceId }: ErasureWork): Promise<void> {
  await together(client, async () => {
    const { rows } = await client.query<{ user_id: string }>(
      "delete from memberships where workspace_id = $1 returning user_id",
      [workspaceId],
    );
    const { rowCount } = await client.query(
      `delete from users u where user_id = any($1::uuid[]) and not is_platform_admin
         and not exists (select from memberships m where m.user_id = u.user_id)`,
      [rows.map(({ user_id }) => user_id)],
    );
    await addCounts(client, erasureId, { memberships: rows.length, users: rowCount ?? 0 });
  });
}

async function isLeft({ client, workspaceId }: ErasureWork): Promise<boolean> {
  const found = WORKSPACE_TABLES.map((table) => `exists (select from ${table} where workspace_id = $1)`);
  const { rows } = await client.query<{ found: boolean }>(`select ${found.join(" or ")} as found`, [
    workspaceId,
  ]);
  return rows[0]?.found === true;
}
