import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import {
  ROLES,
  WORKSPACE_STATUSES,
  type Role,
  type WorkspaceStatus,
} from "../../domain/vocabulary/vocabulary.js";
import type { Queryable } from "../../platform/postgres/pool.js";

export interface StoredSession {
  userId: string;
  workspaceId: string;
  /** The user's current role in the workspace. */
  role: Role;
  workspaceStatus: WorkspaceStatus;
  isPlatformAdmin: boolean;
  /** AUTH-35: true if the workspace requires one-time codes, the user has none, and no second factor was used. */
  mustEnrolCodes: boolean;
  createdAt: Date;
  lastUsedAt: Date;
}

export interface NewSession {
  /** SHA-256, 32 bytes. */
  tokenHash: Buffer;
  userId: string;
  workspaceId: string;
  createdAt: Date;
  origin: SessionOrigin;
  /** AUTH-38: true if an identity provider asked for several factors. */
  hasSecondFactor: boolean;
}

/** Where a sign-in came from. Null means unknown. */
export interface SessionOrigin {
  /** The address that the request came from, as limits count it. */
  address: string | null;
  /** The service's description of browser and system. */
  device: string | null;
}

/** Rejects if the user is not a member of the workspace. */
export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  await db.query(
    `insert into sessions (token_hash, workspace_id, user_id, created_at, last_used_at, address, device, has_second_factor)
     values ($1, $2, $3, $4, $4, $5, $6, $7)`,
    [
      session.tokenHash,
      idToHex(session.workspaceId),
      idToHex(session.userId),
      session.createdAt,
      session.origin.address,
      session.origin.device,
      session.hasSecondFactor,
    ],
  );
}

export async function findSession(db: Queryable, tokenHash: Buffer): Promise<StoredSession | null> {
  const { rows } = await db.query<SessionRow>({
    name: "find_session",
    text: `select s.user_id, s.workspace_id, m.role, w.status, u.is_platform_admin, s.created_at, s.last_used_at,
             w.require_one_time_codes and c.user_id is null and not s.has_second_factor as must_enrol_codes
           from sessions s
           join memberships m on m.workspace_id = s.workspace_id and m.user_id = s.user_id
           join workspaces w on w.workspace_id = s.workspace_id
           join users u on u.user_id = s.user_id
           left join one_time_codes c on c.user_id = s.user_id and c.confirmed_at is not null
           where s.token_hash = $1`,
    values: [tokenHash],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    userId: idFromHex("usr", row.user_id),
    workspaceId: idFromHex("ws", row.workspace_id),
    role: ROLES[row.role] as Role,
    workspaceStatus: WORKSPACE_STATUSES[row.status] as WorkspaceStatus,
    isPlatformAdmin: row.is_platform_admin,
    mustEnrolCodes: row.must_enrol_codes,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

export async function touchSession(db: Queryable, tokenHash: Buffer, usedAt: Date): Promise<void> {
  await db.query("update sessions set last_used_at = greatest(last_used_at, $2) where token_hash = $1", [
    tokenHash,
    usedAt,
  ]);
}

/** Deletes the session with this token, whoever its user is. Logout, rotation and ACC-4 need it. */
export async function deleteSession(db: Queryable, tokenHash: Buffer): Promise<void> {
  await db.query("delete from sessions where token_hash = $1", [tokenHash]);
}

/** Deletes a person's sessions in all workspaces, except the one with `exceptTokenHash`. */
export async function deleteUserSessions(
  db: Queryable,
  userId: string,
  exceptTokenHash: Buffer | null,
): Promise<void> {
  await db.query("delete from sessions where user_id = $1 and token_hash is distinct from $2", [
    idToHex(userId),
    exceptTokenHash,
  ]);
}

/** Deletes a member's expired sessions. Otherwise the sessions of a member who never signs out would pile up. */
export async function deleteOldSessions(
  db: Queryable,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  { createdBefore, usedBefore }: { createdBefore: Date; usedBefore: Date },
): Promise<void> {
  await db.query(
    `delete from sessions
     where workspace_id = $1 and user_id = $2 and (created_at <= $3 or last_used_at <= $4)`,
    [idToHex(workspaceId), idToHex(userId), createdBefore, usedBefore],
  );
}

interface SessionRow {
  user_id: string;
  workspace_id: string;
  role: number;
  status: number;
  is_platform_admin: boolean;
  must_enrol_codes: boolean;
  created_at: Date;
  last_used_at: Date;
}
