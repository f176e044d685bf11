import { readListPage, type ListedRows, type ListPage } from "../../../platform/postgres/list-page.js";
import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import { ROLES, type Role } from "../../../domain/vocabulary/vocabulary.js";
import type { AnyConnection, TenantConnection } from "../../../platform/postgres/tenant-db.js";

export interface Member {
  userId: string;
  email: string;
  name: string | null;
  role: Role;
  /** The time at which the member joined the workspace. */
  createdAt: Date;
  /** The last login to this workspace. */
  lastLoginAt: Date | null;
}

const SELECT_MEMBERS = `
  select m.user_id, u.email, u.name, m.role, m.created_at, m.last_login_at
  from memberships m join users u on u.user_id = m.user_id
  where m.workspace_id = $1`;

/** A page of the members, newest id first. */
export async function listMembers(
  db: TenantConnection,
  workspaceId: string,
  page: ListPage,
): Promise<ListedRows<Member>> {
  const { rows, hasMore } = await readListPage<MemberRow>(
    db,
    { select: SELECT_MEMBERS, values: [idToHex(workspaceId)], key: "user_id" },
    page,
  );
  return { rows: rows.map(memberOf), hasMore };
}

export async function findMember(
  db: AnyConnection,
  workspaceId: string,
  userId: string,
): Promise<Member | null> {
  const { rows } = await db.query<MemberRow>(`${SELECT_MEMBERS} and m.user_id = $2`, [
    idToHex(workspaceId),
    idToHex(userId),
  ]);
  return rows[0] === undefined ? null : memberOf(rows[0]);
}

export async function hasMemberWithEmail(
  db: TenantConnection,
  workspaceId: string,
  email: string,
): Promise<boolean> {
  const { rowCount } = await db.query(`${SELECT_MEMBERS} and lower(u.email) = lower($2)`, [
    idToHex(workspaceId),
    email,
  ]);
  return rowCount === 1;
}

export async function countMembers(db: AnyConnection, workspaceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from memberships where workspace_id = $1",
    [idToHex(workspaceId)],
  );
  return rows[0]?.count ?? 0;
}

/** Blocks other changes of members and their roles until the commit. */
export async function lockTeam(client: AnyConnection, workspaceId: string): Promise<void> {
  await client.query("select from workspaces where workspace_id = $1 for no key update", [
    idToHex(workspaceId),
  ]);
}

export async function countOwners(db: TenantConnection, workspaceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from memberships where workspace_id = $1 and role = $2",
    [idToHex(workspaceId), ROLES.indexOf("owner")],
  );
  return rows[0]?.count ?? 0;
}

export async function updateMemberRole(
  db: TenantConnection,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  role: Role,
): Promise<void> {
  await db.query("update memberships set role = $3 where workspace_id = $1 and user_id = $2", [
    idToHex(workspaceId),
    idToHex(userId),
    ROLES.indexOf(role),
  ]);
}

/** Deletes a member. The member's sessions in the workspace are deleted with the membership. */
export async function deleteMember(
  db: TenantConnection,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  await db.query("delete from memberships where workspace_id = $1 and user_id = $2", [
    idToHex(workspaceId),
    idToHex(userId),
  ]);
}

interface MemberRow {
  user_id: string;
  email: string;
  name: string | null;
  role: number;
  created_at: Date;
  last_login_at: Date | null;
}

function memberOf(row: MemberRow): Member {
  return {
    userId: idFromHex("usr", row.user_id),
    email: row.email,
    name: row.name,
    role: ROLES[row.role] as Role,
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
  };
}
