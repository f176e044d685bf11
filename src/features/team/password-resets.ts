import type { ClientBase, Pool } from "pg";
import type { Mailbox } from "../mail/service.js";
import {
  findUserById,
  isOnlyMemberOf,
  lockUser,
  replacePassword,
  type PasswordCheck,
  type Showing,
} from "../accounts/service.js";
import { insertAuditEntry } from "../audit/service.js";
import { deletePasswordReset, findPasswordReset, upsertPasswordReset } from "./queries/password-reset.js";
import { lockTeam } from "./queries/team.js";
import { resetRefusal, type ResetRefusal } from "./reset-refusal.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { CellName } from "../../path/access/cell.js";
import type { Principal } from "../../path/access/session.js";
import { generateToken, hashToken, isToken } from "../../path/access/token.js";
import { inTransaction } from "../../platform/postgres/transaction.js";

export interface PasswordResetsOptions {
  /** The connections without a tenant, because a password belongs to a person and not to one workspace. */
  pool: Pool;
  attempt: Attempt;
  passwords: PasswordCheck;
  /** ACC-27: null where the deployment sends no mail. */
  mailbox: Mailbox | null;
  cell: CellName;
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

/** ACC-12, ACC-13: an owner or admin gets a token, and the member sets a new password by it. */
export function createPasswordResets(options: PasswordResetsOptions) {
  const { pool, attempt, passwords, mailbox, cell, nextId, now } = options;
  return {
    /** Returns the token, which no later answer contains, or sends it by mail. The member's earlier token ends. */
    request(
      by: Principal,
      userId: string,
    ): Promise<{ token: string | null; expiresAt: Date } | ResetRefusal | "unavailable"> {
      const { workspaceId } = by;
      const createdAt = new Date(now());
      const expiresAt = new Date(createdAt.getTime() + LIMITS.passwordResetLifeMs);
      const token = generateToken(cell);
      return attempt(() =>
        inTransaction(pool, async (client) => {
          const refusal = await resetRefusal(client, by, userId);
          if (refusal !== null) return refusal;
          await upsertPasswordReset(client, {
            workspaceId,
            userId,
            tokenHash: hashToken(token),
            requestedBy: by.userId,
            createdAt,
            expiresAt,
          });
          await insertAuditEntry(client, {
            auditId: `aud_${nextId()}`,
            actor: by.userId,
            workspaceId,
            action: "team.password_reset_requested",
            resource: userId,
            metadata: {},
          });
          if (mailbox !== null) await sendToken(client, mailbox, { by, userId, token, createdAt, expiresAt });
          return { token: mailbox === null ? token : null, expiresAt };
        }),
      );
    },

    /** Sets the password and ends all of the person's sessions. A token works once. */
    async redeem(
      token: string,
      newPassword: string,
      showing: Showing,
    ): Promise<"reset" | "unknown" | "full" | "unavailable"> {
      if (!isToken(token)) return "unknown";
      const tokenHash = hashToken(token);
      // No password is hashed for an unknown token.
      const known = await attempt(() => findPasswordReset(pool, tokenHash, new Date(now())));
      if (known === null || known === "unavailable") return known ?? "unknown";
      const hashed = await passwords.hash(newPassword, showing);
      if (hashed === "full") return "full";
      return attempt(() =>
        inTransaction(pool, async (client) => {
          await lockTeam(client, known.workspaceId);
          await lockUser(client, known.userId);
          const reset = await findPasswordReset(client, tokenHash, new Date(now()));
          // The member may have joined another workspace since.
          if (reset === null || !(await isOnlyMemberOf(client, reset))) return "unknown";
          if (!(await deletePasswordReset(client, tokenHash))) return "unknown";
          await replacePassword(client, reset.userId, hashed.passwordHash);
          await insertAuditEntry(client, {
            auditId: `aud_${nextId()}`,
            actor: reset.userId,
            workspaceId: reset.workspaceId,
            action: "account.password_reset",
            resource: reset.userId,
            metadata: { requested_by: reset.requestedBy },
          });
          return "reset";
        }),
      );
    },
  };
}

/** ACC-27: the token goes to the member. The person who requests the reset never sees it. */
async function sendToken(
  client: ClientBase,
  mailbox: Mailbox,
  reset: { by: Principal; userId: string; token: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  const { by, userId, ...letter } = reset;
  const member = await findUserById(client, userId);
  if (member === null) throw new Error("the member has no account");
  await mailbox.add(client, {
    ...letter,
    kind: "password_reset",
    workspaceId: by.workspaceId,
    recipient: member.email,
    author: by.userId,
  });
}

export type PasswordResets = ReturnType<typeof createPasswordResets>;
