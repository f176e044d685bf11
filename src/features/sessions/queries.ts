import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { WORKSPACE_STATUSES } from "../../domain/vocabulary/vocabulary.js";
import { readListPage, type ListedRows, type ListPage } from "../../platform/postgres/list-page.js";
import type { Queryable } from "../../platform/postgres/pool.js";

export interface ListedSession {
  /** `ses_…` */
  sessionId: string;
  workspaceId: string;
  workspaceName: string;
  createdAt: Date;
  lastUsedAt: Date;
  device: string | null;
  address: string | null;
  isCurrent: boolean;
}

/** The person who makes the request, and their session. */
export interface Asking {
  userId: string;
  /** SHA-256, 32 bytes. */
  tokenHash: Buffer;
  now: Date;
}

/** AUTH-19: a live session began after $3 and was last used after $4. */
const IS_ALIVE = "s.created_at > $3 and s.last_used_at > $4";

function valuesOf({ userId, tokenHash, now }: Asking): [string, Buffer, Date, Date] {
  const since = (ageMs: number): Date => new Date(now.getTime() - ageMs);
  return [idToHex(userId), tokenHash, since(LIMITS.sessionAbsoluteMs), since(LIMITS.sessionIdleMs)];
}

/** A page of a person's living sessions in all workspaces, newest first. */
export async function listSessions(
  db: Queryable,
  asking: Asking,
  page: ListPage,
): Promise<ListedRows<ListedSession>> {
  const { rows, hasMore } = await readListPage<{
    session_id: string;
    workspace_id: string;
    name: string;
    created_at: Date;
    last_used_at: Date;
    device: string | null;
    address: string | null;
    is_current: boolean;
  }>(
    db,
    {
      select: `select s.session_id, s.workspace_id, w.name, s.created_at, s.last_used_at, s.device, s.address,
                 s.token_hash = $2 as is_current
               from sessions s join workspaces w on w.workspace_id = s.workspace_id
               where s.user_id = $1 and ${IS_ALIVE}`,
      values: valuesOf(asking),
      key: "session_id",
      // Session ids are random, so the order needs the time.
      order: ["created_at", "session_id"],
    },
    page,
  );
  const sessions = rows.map((row) => ({
    sessionId: idFromHex("ses", row.session_id),
    workspaceId: idFromHex("ws", row.workspace_id),
    workspaceName: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    device: row.device,
    address: row.address,
    isCurrent: row.is_current,
  }));
  return { rows: sessions, hasMore };
}

const MOVED = WORKSPACE_STATUSES.indexOf("moved");

/**
 * Ends a living session of the person. Returns null when there is none with that id. CELL-14: `workspaceId` is null
 * when the workspace has moved to another cell, because this cell records nothing more of it.
 */
export async function deleteSessionById(
  db: Queryable,
  asking: Asking,
  sessionId: string,
): Promise<{ workspaceId: string | null; isCurrent: boolean } | null> {
  const { rows } = await db.query<{ workspace_id: string; has_moved: boolean; is_current: boolean }>(
    `delete from sessions s using workspaces w
     where w.workspace_id = s.workspace_id and s.user_id = $1 and s.session_id = $5 and ${IS_ALIVE}
     returning s.workspace_id, w.status = ${MOVED} as has_moved, s.token_hash = $2 as is_current`,
    [...valuesOf(asking), idToHex(sessionId)],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    workspaceId: row.has_moved ? null : idFromHex("ws", row.workspace_id),
    isCurrent: row.is_current,
  };
}

/**
 * Ends all sessions of the person except the requesting one. Returns the workspace of each, but none that has moved to
 * another cell (CELL-14).
 */
export async function deleteOtherSessions(
  db: Queryable,
  { userId, tokenHash }: Pick<Asking, "userId" | "tokenHash">,
): Promise<string[]> {
  const { rows } = await db.query<{ workspace_id: string }>(
    `with ended as (delete from sessions where user_id = $1 and token_hash <> $2 returning workspace_id)
     select workspace_id from ended join workspaces w using (workspace_id) where w.status <> ${MOVED}`,
    [idToHex(userId), tokenHash],
  );
  return rows.map(({ workspace_id }) => idFromHex("ws", workspace_id));
}
