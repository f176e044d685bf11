import type { Pool } from "pg";
import { insertAuditEntry } from "../audit/service.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { Principal } from "../../path/access/session.js";
import { deleteUserSessions } from "../../path/access/session-queries.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import type { PasswordCheck } from "./password-check.js";
import { findUserById, listWorkspaceIds, updatePassword } from "./queries.js";

export interface PasswordChangeOptions {
  /** The connections without a tenant, because a password belongs to a person and not to one workspace. */
  pool: Pool;
  attempt: Attempt;
  passwords: PasswordCheck;
  /** The 26 characters of a new id. */
  nextId(): string;
}

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
  /** The token of the session that makes the request. */
  presentedToken: string | null;
}

/** `full`: too many passwords are waiting to be checked. */
type ChangeResult = "changed" | "wrong_password" | "too_many_failures" | "full" | "unavailable";

/**
 * ACC-11: changes the password of the signed-in person. All their other sessions end. Failures count against the
 * requesting session, so a stolen session cannot guess the password without limit.
 */
export function createPasswordChange({ pool, attempt, passwords, nextId }: PasswordChangeOptions) {
  return async (
    { userId, sessionKey }: Principal,
    { currentPassword, newPassword, presentedToken }: PasswordChange,
  ): Promise<ChangeResult> => {
    const user = await attempt(() => findUserById(pool, userId));
    if (user === "unavailable") return user;
    const showing = { source: `session ${sessionKey}`, presentedToken, device: null };
    const shown = { email: user?.email ?? "", password: currentPassword };
    const isRight = await passwords.isRight(shown, user, showing);
    if (typeof isRight === "string") return isRight;
    if (user === null || !isRight) return "wrong_password";
    const hashed = await passwords.hash(newPassword, showing);
    if (hashed === "full") return "full";
    return attempt(() =>
      inTransaction(pool, async (client) => {
        // False means that a concurrent change has replaced the password that was checked above.
        if (!(await updatePassword(client, user, hashed.passwordHash))) return "wrong_password";
        await deleteUserSessions(client, userId, Buffer.from(sessionKey, "hex"));
        for (const workspaceId of await listWorkspaceIds(client, userId)) {
          await insertAuditEntry(client, {
            auditId: `aud_${nextId()}`,
            actor: userId,
            workspaceId,
            action: "account.password_changed",
            resource: userId,
            metadata: {},
          });
        }
        return "changed";
      }),
    );
  };
}

export type ChangePassword = ReturnType<typeof createPasswordChange>;
