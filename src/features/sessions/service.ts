import type { ListedRows, ListPage } from "../../platform/postgres/list-page.js";
import type { Pool } from "pg";
import { insertAuditEntries, insertAuditEntry } from "../audit/service.js";
import { isId } from "../../domain/ids/ids.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { Principal } from "../../path/access/session.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import {
  deleteOtherSessions,
  deleteSessionById,
  listSessions,
  type Asking,
  type ListedSession,
} from "./queries.js";

export interface SessionsOptions {
  /** The connections without a tenant, because a person has sessions in all of their workspaces. */
  pool: Pool;
  attempt: Attempt;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

/**
 * AUTH-20 to AUTH-22: a person sees and ends their own sessions. Every node asks PostgreSQL on each request of a
 * session, so an ended session stops working everywhere.
 */
export function createSessions({ pool, attempt, nextId, now }: SessionsOptions) {
  const asking = ({ userId, sessionKey }: Principal): Asking => ({
    userId,
    tokenHash: Buffer.from(sessionKey, "hex"),
    now: new Date(now()),
  });

  return {
    list: (by: Principal, page: ListPage): Promise<ListedRows<ListedSession> | "unavailable"> =>
      attempt(() => listSessions(pool, asking(by), page)),

    /** The end of a session is recorded in the audit log of its workspace. */
    end(by: Principal, sessionId: string): Promise<{ isCurrent: boolean } | "not_found" | "unavailable"> {
      return attempt(() =>
        inTransaction(pool, async (client) => {
          const ended = isId(sessionId, "ses")
            ? await deleteSessionById(client, asking(by), sessionId)
            : null;
          if (ended === null) return "not_found";
          const { workspaceId, isCurrent } = ended;
          if (workspaceId !== null) {
            await insertAuditEntry(client, {
              auditId: `aud_${nextId()}`,
              actor: by.userId,
              workspaceId,
              action: "account.session_ended",
              resource: sessionId,
              metadata: {},
            });
          }
          return { isCurrent };
        }),
      );
    },

    /** Each workspace in which sessions end gets an audit entry with their number. */
    endOthers(by: Principal): Promise<void | "unavailable"> {
      return attempt(() =>
        inTransaction(pool, async (client) => {
          const ended = await deleteOtherSessions(client, asking(by));
          const workspaceIds = [...new Set(ended)].toSorted();
          await insertAuditEntries(
            client,
            workspaceIds.map((workspaceId) => ({
              auditId: `aud_${nextId()}`,
              actor: by.userId,
              workspaceId,
              action: "account.sessions_ended",
              resource: by.userId,
              metadata: { sessions: ended.filter((id) => id === workspaceId).length },
            })),
          );
        }),
      );
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
