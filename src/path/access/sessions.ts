import type { Pool } from "pg";
import type { Queryable } from "../../platform/postgres/pool.js";
import {
  deleteOldSessions,
  findSession,
  insertSession,
  touchSession,
  type SessionOrigin,
} from "./session-queries.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Attempt } from "./attempt.js";
import type { CellName, TakesCell } from "./cell.js";
import type { Principal } from "./session.js";
import { generateToken, hashToken, isToken } from "./token.js";

export type SessionAuthentication = Principal | "invalid_session" | "unavailable";

/** How a session began. */
interface SessionBeginning {
  origin?: SessionOrigin;
  /** AUTH-38: true if an identity provider asked for several factors. */
  hasSecondFactor?: boolean;
  /** CELL-1: the cell that issues the session. */
  cell?: CellName;
}

const UNKNOWN: SessionOrigin = { address: null, device: null };

/** Starts a member's session and returns its token, which is not stored. `nowMs` is in Unix milliseconds. */
export async function startSession(
  db: Queryable,
  { userId, workspaceId }: { userId: string; workspaceId: string },
  nowMs: number,
  { origin = UNKNOWN, hasSecondFactor = false, cell = null }: SessionBeginning = {},
): Promise<{ token: string; expiresAt: Date }> {
  const token = generateToken(cell);
  const createdAt = new Date(nowMs);
  await deleteOldSessions(
    db,
    { workspaceId, userId },
    {
      createdBefore: new Date(nowMs - LIMITS.sessionAbsoluteMs),
      usedBefore: new Date(nowMs - LIMITS.sessionIdleMs),
    },
  );
  const tokenHash = hashToken(token);
  await insertSession(db, { tokenHash, userId, workspaceId, createdAt, origin, hasSecondFactor });
  return { token, expiresAt: new Date(nowMs + LIMITS.sessionAbsoluteMs) };
}

/**
 * Returns a check of presented tokens against PostgreSQL. A token is invalid if it is unknown, unused for 12 h, or 7 d
 * old (AUTH-19).
 */
export function createSessionCheck(pool: Pool, attempt: Attempt, takes: TakesCell) {
  return async (token: string, nowMs: number): Promise<SessionAuthentication> => {
    if (!isToken(token, takes)) return "invalid_session";
    const tokenHash = hashToken(token);
    return attempt<SessionAuthentication>(async () => {
      const session = await findSession(pool, tokenHash);
      if (session === null) return "invalid_session";
      const { createdAt, lastUsedAt, ...principal } = session;
      const idleMs = nowMs - lastUsedAt.getTime();
      if (idleMs >= LIMITS.sessionIdleMs || nowMs - createdAt.getTime() >= LIMITS.sessionAbsoluteMs) {
        return "invalid_session";
      }
      // The last use is written only after a minute, because a minute matters little in twelve hours.
      if (idleMs >= TUNING.sessionTouchMs) await touchSession(pool, tokenHash, new Date(nowMs));
      return { ...principal, sessionKey: tokenHash.toString("hex") };
    });
  };
}
