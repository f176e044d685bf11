import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import { ROLES, WORKSPACE_STATUSES, type Role } from "../../domain/vocabulary/vocabulary.js";
import { workspaceOf, type Workspace, type WorkspaceRow } from "../workspaces/service.js";
import { deleteUserSessions } from "../../path/access/session-queries.js";
import type { Queryable } from "../../platform/postgres/pool.js";

export interface User {
  /** `usr_…` */
  userId: string;
  email: string;
  name: string | null;
}

export interface UserWithPassword extends User {
  /** Argon2id in PHC format. */
  passwordHash: string;
}

/** A user as a member of one workspace. */
export interface Account {
  user: User;
  workspace: Workspace;
  role: Role;
}

/** Compares addresses without regard to case, as the unique index does. */
export async function findUserByEmail(db: Queryable, email: string): Promise<UserWithPassword | null> {
  const { rows } = await db.query<UserRow & { password_hash: string }>(
    "select user_id, email, name, password_hash from users where lower(email) = lower($1)",
    [email],
  );
  const row = rows[0];
  return row === undefined ? null : { ...userOf(row), passwordHash: row.password_hash };
}

export async function findUserById(db: Queryable, userId: string): Promise<UserWithPassword | null> {
  const { rows } = await db.query<UserRow & { password_hash: string }>(
    "select user_id, email, name, password_hash from users where user_id = $1",
    [idToHex(userId)],
  );
  const row = rows[0];
  return row === undefined ? null : { ...userOf(row), passwordHash: row.password_hash };
}

/** Returns false if the stored hash is no longer `passwordHash`, against which the caller checked the old password. */
export async function updatePassword(
  db: Queryable,
  { userId, passwordHash }: Pick<UserWithPassword, "userId" | "passwordHash">,
  newHash: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "update users set password_hash = $3 where user_id = $1 and password_hash = $2",
    [idToHex(userId), passwordHash, newHash],
  );
  return rowCount === 1;
}

/** Sets the password without the old one, and ends every session of the person. */
export async function replacePassword(db: Queryable, userId: string, passwordHash: string): Promise<void> {
  await db.query("update users set password_hash = $2 where user_id = $1", [idToHex(userId), passwordHash]);
  await deleteUserSessions(db, userId, null);
}

/** Blocks new memberships of the person, and other changes of their password, until the transaction ends. */
export async function lockUser(db: Queryable, userId: string): Promise<void> {
  await db.query("select from users where user_id = $1 for update", [idToHex(userId)]);
}

/** True if the person is a member of no other workspace, and is no platform admin. */
export async function isOnlyMemberOf(
  db: Queryable,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<boolean> {
  const { rows } = await db.query<{ only: boolean }>(
    `select not u.is_platform_admin and not exists (
       select from memberships m where m.user_id = u.user_id and m.workspace_id <> $1
     ) as only from users u where u.user_id = $2`,
    [idToHex(workspaceId), idToHex(userId)],
  );
  return rows[0]?.only === true;
}

const MOVED = WORKSPACE_STATUSES.indexOf("moved");

/** The workspaces that the person is a member of. CELL-14: workspaces that have moved to another cell are left out. */
export async function listWorkspaceIds(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ workspace_id: string }>(
    `select workspace_id from memberships join workspaces w using (workspace_id)
     where user_id = $1 and w.status <> ${MOVED} order by workspace_id`,
    [idToHex(userId)],
  );
  return rows.map(({ workspace_id }) => idFromHex("ws", workspace_id));
}

const SELECT_ACCOUNTS = `
  select u.user_id, u.email, u.name as user_name, m.role, w.workspace_id, w.name, w.status, w.default_decision_mode,
         w.risk_block_threshold, w.retention_days, w.require_one_time_codes, w.created_at
  from memberships m
  join users u on u.user_id = m.user_id
  join workspaces w on w.workspace_id = m.workspace_id`;

/** Returns null when the user is not a member of the workspace. */
export async function findAccount(
  db: Queryable,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Account | null> {
  const { rows } = await db.query<AccountRow>(
    `${SELECT_ACCOUNTS} where m.workspace_id = $1 and m.user_id = $2`,
    [idToHex(workspaceId), idToHex(userId)],
  );
  return rows[0] === undefined ? null : accountOf(rows[0]);
}

const ACTIVE = WORKSPACE_STATUSES.indexOf("active");

/** Picks the workspace for a user who names none: the one signed in to last, but active workspaces come first. */
export async function findLatestAccount(db: Queryable, userId: string): Promise<Account | null> {
  const { rows } = await db.query<AccountRow>(
    `${SELECT_ACCOUNTS} where m.user_id = $1
     order by (w.status = ${ACTIVE}) desc, m.last_login_at desc nulls last, m.created_at, m.workspace_id limit 1`,
    [idToHex(userId)],
  );
  return rows[0] === undefined ? null : accountOf(rows[0]);
}

export async function recordLogin(
  db: Queryable,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  at: Date,
): Promise<void> {
  await db.query("update memberships set last_login_at = $3 where workspace_id = $1 and user_id = $2", [
    idToHex(workspaceId),
    idToHex(userId),
    at,
  ]);
}

interface UserRow {
  user_id: string;
  email: string;
  name: string | null;
}

function userOf(row: UserRow): User {
  return { userId: idFromHex("usr", row.user_id), email: row.email, name: row.name };
}

type AccountRow = Omit<UserRow, "name"> & WorkspaceRow & { user_name: string | null; role: number };

function accountOf(row: AccountRow): Account {
  return {
    user: userOf({ ...row, name: row.user_name }),
    workspace: workspaceOf(row),
    role: ROLES[row.role] as Role,
  };
}

export interface NewUser {
  /** `usr_…` */
  userId: string;
  email: string;
  name?: string;
  /** Argon2id in PHC format. */
  passwordHash: string;
}

/** Returns false when the address is taken. Addresses are compared without regard to case. */
export async function insertUser(db: Queryable, user: NewUser): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into users (user_id, email, name, password_hash) values ($1, $2, $3, $4) on conflict do nothing`,
    [idToHex(user.userId), user.email, user.name ?? null, user.passwordHash],
  );
  return rowCount === 1;
}

export async function insertMembership(
  db: Queryable,
  membership: { workspaceId: string; userId: string; role: Role },
): Promise<void> {
  await db.query(`insert into memberships (workspace_id, user_id, role) values ($1, $2, $3)`, [
    idToHex(membership.workspaceId),
    idToHex(membership.userId),
    ROLES.indexOf(membership.role),
  ]);
}

/** True when any user exists besides the platform's administrator, whom the settings create. */
export async function hasAccounts(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ some: boolean }>(
    "select exists (select from users where not is_platform_admin) as some",
  );
  return rows[0]?.some === true;
}

/** Blocks all other registrations until the transaction ends. */
export async function lockRegistration(db: Queryable): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('registration', 0))");
}
