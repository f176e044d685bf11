import { readListPage, type ListedRows, type ListPage } from "../../platform/postgres/list-page.js";
import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import { WORKSPACE_STATUSES, type WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";
import { WORKSPACE_COLUMNS, workspaceOf, type Workspace, type WorkspaceRow } from "../workspaces/service.js";
import type { Queryable } from "../../platform/postgres/pool.js";

/** Lists the workspaces of all tenants, newest first. */
export async function listWorkspaces(db: Queryable, page: ListPage): Promise<ListedRows<Workspace>> {
  const { rows, hasMore } = await readListPage<WorkspaceRow>(
    db,
    { select: `select ${WORKSPACE_COLUMNS} from workspaces`, values: [], key: "workspace_id" },
    page,
  );
  return { rows: rows.map(workspaceOf), hasMore };
}

/**
 * Returns the workspace after the change and whether it changed, or null when the id is unknown. Call it within a
 * transaction.
 */
export async function setWorkspaceStatus(
  db: Queryable,
  workspaceId: string,
  status: WorkspaceStatus,
): Promise<{ workspace: Workspace; changed: boolean } | null | "erased" | "moving"> {
  const id = idToHex(workspaceId);
  const before = await db.query<WorkspaceRow>(
    `select ${WORKSPACE_COLUMNS} from workspaces where workspace_id = $1 for update`,
    [id],
  );
  const row = before.rows[0];
  if (row === undefined) return null;
  const workspace = workspaceOf(row);
  if (workspace.status === status) return { workspace, changed: false };
  // CELL-13: another cell decides for the workspace, or will in a moment.
  const moving = await db.query("select from workspace_moves where workspace_id = $1 and step <> 'arrived'", [
    id,
  ]);
  if (moving.rowCount !== 0) return "moving";
  // ADM-20: the row's lock keeps others from requesting an erasure until this transaction ends.
  const { rows } = await db.query<{ erased: boolean }>("select is_erased($1, null) as erased", [id]);
  if (rows[0]?.erased === true) return "erased";
  await db.query("update workspaces set status = $2 where workspace_id = $1", [
    id,
    WORKSPACE_STATUSES.indexOf(status),
  ]);
  return { workspace: { ...workspace, status }, changed: true };
}

/** Makes this user the platform's only administrator. */
export async function setPlatformAdmin(db: Queryable, userId: string): Promise<void> {
  await db.query(
    "update users set is_platform_admin = (user_id = $1) where is_platform_admin or user_id = $1",
    [idToHex(userId)],
  );
}

/** Ends every administrator's rights and sessions. Returns false when there was no administrator. */
export async function endPlatformAdmins(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ ended: boolean }>(
    `with former as (
       update users set is_platform_admin = false where is_platform_admin returning user_id
     ), ended as (
       delete from sessions where user_id in (select user_id from former)
     )
     select exists (select from former) as ended`,
  );
  return rows[0]?.ended === true;
}

const MOVED = WORKSPACE_STATUSES.indexOf("moved");

/**
 * Takes an address away from its account and ends the account's sessions. The account keeps its memberships. It gets
 * a new address that nobody can own (RFC 2606) or have registered. Returns its workspaces, but none that has moved to
 * another cell (CELL-14). Call it within a transaction.
 */
export async function releaseAddress(
  db: Queryable,
  email: string,
  replacement: string,
): Promise<{ userId: string; workspaceIds: string[] } | null | "own"> {
  const found = await db.query<{ user_id: string; is_platform_admin: boolean }>(
    "select user_id, is_platform_admin from users where lower(email) = lower($1) for update",
    [email],
  );
  const user = found.rows[0];
  if (user === undefined) return null;
  if (user.is_platform_admin) return "own";
  await db.query("update users set email = $2, email_verified_at = null where user_id = $1", [
    user.user_id,
    replacement,
  ]);
  await db.query("delete from sessions where user_id = $1", [user.user_id]);
  // AUTH-28: the address linked the identity to this account. The identity may now be linked to another account.
  await db.query("delete from oidc_identities where user_id = $1", [user.user_id]);
  const { rows } = await db.query<{ workspace_id: string }>(
    `select workspace_id from memberships join workspaces w using (workspace_id)
     where user_id = $1 and w.status <> ${MOVED} order by workspace_id`,
    [user.user_id],
  );
  return {
    userId: idFromHex("usr", user.user_id),
    workspaceIds: rows.map(({ workspace_id }) => idFromHex("ws", workspace_id)),
  };
}
