import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import { MOVE_TUNING } from "../../../domain/vocabulary/tuning/moves.js";
import { WORKSPACE_STATUSES, type MoveStep } from "../../../domain/vocabulary/vocabulary.js";
import { together, type Ends } from "./rows.js";

const STATUS = Object.fromEntries(WORKSPACE_STATUSES.map((status, at) => [status, at])) as Record<
  (typeof WORKSPACE_STATUSES)[number],
  number
>;

/** The step of the move in the old cell. Null if the workspace does not leave. */
export async function leavingStep({ source, workspaceId }: Ends): Promise<MoveStep | null> {
  const { rows } = await source.query<{ step: MoveStep }>(
    "select step from workspace_moves where workspace_id = $1 and is_leaving",
    [workspaceId],
  );
  return rows[0]?.step ?? null;
}

/** When the old cell's step last changed, in Unix milliseconds. From the switch on that is the time of the switch. */
export async function leavingSinceMs({ source, workspaceId }: Ends): Promise<number> {
  const { rows } = await source.query<{ changed_at: Date }>(
    "select changed_at from workspace_moves where workspace_id = $1 and is_leaving",
    [workspaceId],
  );
  if (rows[0] === undefined) throw new Error("the workspace does not leave");
  return rows[0].changed_at.getTime();
}

/**
 * CELL-12: takes the lock by which only one command moves the workspace. The lock ends with the connection. PostgreSQL
 * may notice late that a command was killed. Returns false if another command still runs.
 */
export async function lockMove({ source, workspaceId }: Ends): Promise<boolean> {
  for (let left = MOVE_TUNING.lockAttempts; left > 0; left--) {
    const { rows } = await source.query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('move_workspace ' || $1, 0)) as locked",
      [workspaceId],
    );
    if (rows[0]?.locked === true) return true;
    await sleep(MOVE_TUNING.pollMs);
  }
  return false;
}

/**
 * Begins the move. Folds of the old cell leave the workspace out, and the new cell accepts keys that name these cells.
 */
export async function beginMove(ends: Ends, cells: readonly string[]): Promise<void> {
  await together(ends.source, () => beginAtSource(ends));
  await together(ends.target, () => beginAtTarget(ends, cells));
}

async function beginAtSource({ source, workspaceId }: Ends): Promise<void> {
  // A suspension or an erasure takes this lock too. It is refused once this transaction has committed.
  const held = await source.query(
    `select from workspaces w where workspace_id = $1 and status = ${STATUS.active}
       and not exists (select from erasures e where e.workspace_id = w.workspace_id and e.status <> 'done')
     for no key update`,
    [workspaceId],
  );
  if (held.rowCount !== 1) throw new Error("the workspace was suspended, or an erasure was asked for");
  const begun = await source.query(
    `insert into workspace_moves as m (workspace_id, is_leaving, step, cells) values ($1, true, 'copying', '{}')
     on conflict (workspace_id) do update set is_leaving = true, step = 'copying', changed_at = clock_timestamp()
       where m.step in ('copying', 'frozen', 'arrived')`,
    [workspaceId],
  );
  if (begun.rowCount !== 1) throw new Error("the edge was switched already");
  // These rows are from an earlier move out of this cell.
  await source.query("delete from moved_deltas where workspace_id = $1", [workspaceId]);
  await source.query("delete from move_seen where workspace_id = $1 and step = 'moved'", [workspaceId]);
}

async function beginAtTarget({ target, workspaceId }: Ends, cells: readonly string[]): Promise<void> {
  // These rows are from an earlier stay. The nodes look again once the workspace's status changes.
  await target.query(
    `delete from move_seen where workspace_id = $1
       and exists (select from workspace_moves m where m.workspace_id = $1 and m.step <> 'arriving')`,
    [workspaceId],
  );
  const come = await target.query(
    `insert into workspaces as w (workspace_id, name, status) values ($1, '', ${STATUS.arriving})
     on conflict (workspace_id) do update set status = ${STATUS.arriving}
       where w.status in (${STATUS.arriving}, ${STATUS.moved})`,
    [workspaceId],
  );
  if (come.rowCount !== 1) throw new Error("the workspace is in the other cell already");
  await target.query(
    `insert into workspace_moves (workspace_id, is_leaving, step, cells) values ($1, false, 'arriving', $2)
     on conflict (workspace_id) do update set is_leaving = false, step = 'arriving', cells = excluded.cells,
       deltas_through = 0, changed_at = clock_timestamp()`,
    [workspaceId, cells],
  );
}

/**
 * Freezes the workspace, and waits until every change that began before has ended. A change that begins later is
 * refused by refuse_while_leaving() in SQL.
 */
export async function freeze({ source, workspaceId }: Ends, isLate: () => boolean): Promise<void> {
  const frozen = await source.query(
    `update workspace_moves set step = 'frozen', changed_at = clock_timestamp()
     where workspace_id = $1 and is_leaving and step in ('copying', 'frozen')`,
    [workspaceId],
  );
  if (frozen.rowCount !== 1) throw new Error("another command has ended or switched this move");
  const { rows } = await source.query<{ at: string }>("select clock_timestamp()::text as at");
  while (!isLate()) {
    const { rowCount } = await source.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and (
         (backend_xid is not null and xact_start < $1) or (state = 'active' and query_start < $1)) limit 1`,
      [rows[0]?.at],
    );
    if (rowCount === 0) return;
    await sleep(MOVE_TUNING.pollMs);
  }
  throw new Error("changes that had begun did not end in time");
}

/**
 * Takes a move back before the switch. The old cell goes on as before, and the new one refuses the workspace as one
 * that has moved away. Returns false after the switch, and then changes nothing.
 */
export async function goBack({ source, target, workspaceId }: Ends): Promise<boolean> {
  const isBegun = "workspace_id = $1 and is_leaving and step in ('copying', 'frozen')";
  await together(source, async () => {
    // This workspace came from another cell, so its row stays.
    await source.query(
      `update workspace_moves set is_leaving = false, step = 'arrived' where ${isBegun} and cells <> '{}'`,
      [workspaceId],
    );
    await source.query(`delete from workspace_moves where ${isBegun}`, [workspaceId]);
  });
  const leaving = await source.query("select from workspace_moves where workspace_id = $1 and is_leaving", [
    workspaceId,
  ]);
  if (leaving.rowCount !== 0) return false;
  await together(target, async () => {
    await target.query(
      `update workspace_moves set step = 'moved', changed_at = clock_timestamp()
       where workspace_id = $1 and not is_leaving and step = 'arriving'`,
      [workspaceId],
    );
    await target.query(
      `update workspaces set status = ${STATUS.moved} where workspace_id = $1 and status = ${STATUS.arriving}`,
      [workspaceId],
    );
  });
  return true;
}

/** Records the switch. From now on the move only goes forward. Returns false if the standstill's time is over. */
export async function noteSwitch({ source, workspaceId }: Ends): Promise<boolean> {
  const { rowCount } = await source.query(
    `update workspace_moves set step = 'switched', changed_at = clock_timestamp()
     where workspace_id = $1 and step = 'frozen' and changed_at > clock_timestamp() - interval '12 seconds'`,
    [workspaceId],
  );
  return rowCount === 1;
}

/** Makes the old cell refuse the workspace. No request for the workspace may still be on its way to the old cell. */
export async function endAtSource({ source, workspaceId }: Ends): Promise<void> {
  await together(source, async () => {
    const { rowCount } = await source.query(
      `update workspace_moves set step = 'moved'
       where workspace_id = $1 and is_leaving and step in ('switched', 'moved')`,
      [workspaceId],
    );
    if (rowCount !== 1) throw new Error("the workspace does not leave");
    await source.query(`update workspaces set status = ${STATUS.moved} where workspace_id = $1`, [
      workspaceId,
    ]);
  });
}

/** Opens the workspace in the new cell. */
export async function openAtTarget({ target, workspaceId }: Ends): Promise<void> {
  await together(target, async () => {
    await target.query(
      `update workspace_moves set step = 'arrived'
       where workspace_id = $1 and not is_leaving and step = 'arriving'`,
      [workspaceId],
    );
    await target.query(
      `update workspaces set status = ${STATUS.active} where workspace_id = $1 and status = ${STATUS.arriving}`,
      [workspaceId],
    );
  });
}

/** Returns the living nodes that have not recorded yet that they know of the step. */
export async function unseenBy(client: ClientBase, workspaceId: string, step: MoveStep): Promise<string[]> {
  const { rows } = await client.query<{ node_id: string }>(
    `select node_id from journal_positions p
     where node_number is not null and not number_given_back
       and updated_at > now() - $3 * interval '1 second'
       and not exists (select from move_seen s where s.workspace_id = $1 and s.node_id = p.node_id and s.step = $2)
     order by node_id`,
    [workspaceId, step, MOVE_TUNING.silentSeconds],
  );
  return rows.map(({ node_id }) => node_id);
}

/** Waits until all living nodes have recorded the step. Returns those that did not do so in time. */
export async function untilSeen(
  client: ClientBase,
  workspaceId: string,
  step: MoveStep,
  isLate: () => boolean,
): Promise<string[]> {
  for (;;) {
    const nodes = await unseenBy(client, workspaceId, step);
    if (nodes.length === 0 || isLate()) return nodes;
    await sleep(MOVE_TUNING.pollMs);
  }
}
