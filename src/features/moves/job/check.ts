import { MOVE_TUNING } from "../../../domain/vocabulary/tuning/moves.js";
import type { Ends } from "./rows.js";

/** CELL-13: returns the reasons why the workspace cannot be moved, each as one line. */
export async function reasonsAgainst(ends: Ends, isBegun: boolean): Promise<string[]> {
  const { source, target, workspaceId } = ends;
  const reasons: string[] = [];
  const same = async (what: string, sql: string): Promise<void> => {
    const [ours, theirs] = [
      await source.query<{ text: string }>(sql),
      await target.query<{ text: string }>(sql),
    ];
    if (ours.rows[0]?.text !== theirs.rows[0]?.text) reasons.push(`the cells have not the same ${what}`);
  };
  await same("version", "select string_agg(name, ' ' order by name) as text from migrations");
  await same("SECRET_KEY", "select encode(fingerprint, 'hex') as text from decision_id_key");
  if (reasons.length > 0) return reasons;
  const none = async (
    at: "source" | "target",
    reason: string,
    sql: string,
    values: unknown[] = [workspaceId],
  ) => {
    const { rowCount } = await ends[at].query(sql, values);
    if (rowCount !== 0) reasons.push(reason);
  };
  const one = async (reason: string, sql: string) => {
    const { rowCount } = await source.query(sql, [workspaceId]);
    if (rowCount !== 1) reasons.push(reason);
  };
  await none(
    "target",
    "the workspace is in the other cell already",
    "select from workspaces where workspace_id = $1 and status in (0, 1)",
  );
  // An erasure that an earlier command copied is in both cells. It is no reason against the move.
  const { rows: own } = await source.query<{ erasure_id: string }>(
    "select erasure_id from erasures where workspace_id = $1",
    [workspaceId],
  );
  await none(
    "target",
    "the workspace was erased in the other cell",
    "select from erasures where workspace_id = $1 and erasure_id <> all ($2::uuid[])",
    [workspaceId, own.map(({ erasure_id }) => erasure_id)],
  );
  if (isBegun) return reasons;
  await one(
    "there is no such workspace that is active",
    "select from workspaces where workspace_id = $1 and status = 0",
  );
  await none(
    "source",
    "something of the workspace is being erased",
    "select from erasures where workspace_id = $1 and status <> 'done'",
  );
  await none(
    "source",
    "records of the workspace are set aside: look after them first",
    "select from set_aside where workspace_id = $1",
  );
  await none(
    "source",
    "a node that does not run owes what its journal holds: start it first",
    `select from journal_positions where last_sequence > position and not number_given_back
       and updated_at < now() - $1 * interval '1 second'`,
    [MOVE_TUNING.silentSeconds],
  );
  reasons.push(...(await takenAddresses(ends)));
  return reasons;
}

/**
 * In a cell, an address has only one account. Finds members whose address another account has in the new cell, and
 * members who are the platform's administrator.
 */
async function takenAddresses({ source, target, workspaceId }: Ends): Promise<string[]> {
  const { rows } = await source.query<{ user_id: string; email: string; is_platform_admin: boolean }>(
    `select user_id, lower(email) as email, is_platform_admin from users
     where user_id in (select user_id from memberships where workspace_id = $1)`,
    [workspaceId],
  );
  const { rows: taken } = await target.query<{ user_id: string }>(
    `select member.user_id from unnest($1::uuid[], $2::text[]) as member (user_id, email)
     join users u on lower(u.email) = member.email and u.user_id <> member.user_id`,
    [rows.map(({ user_id }) => user_id), rows.map(({ email }) => email)],
  );
  const reasons = rows.some(({ is_platform_admin: isAdmin }) => isAdmin)
    ? ["the platform's administrator is a member"]
    : [];
  return taken.length === 0
    ? reasons
    : [...reasons, `${taken.length} members have another account in the other cell, with the same address`];
}
