import type { ClientBase, Pool } from "pg";
import type { Attempt } from "../../path/access/attempt.js";
import type { Principal } from "../../path/access/session.js";
import { hashToken, isToken } from "../../path/access/token.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import {
  listWorkspaceIds,
  lockUser,
  replacePassword,
  type PasswordCheck,
  type Showing,
} from "../accounts/service.js";
import { insertAuditEntries, type AuditAction } from "../audit/service.js";
import { deleteEmailToken, findEmailToken, wasSentLately, type Mailbox } from "../mail/service.js";
import { findEmailState, markEmailVerified, type EmailState } from "./queries.js";

export interface EmailLinksOptions {
  /** The connections without a tenant, because an address belongs to a person and not to one workspace. */
  pool: Pool;
  attempt: Attempt;
  passwords: PasswordCheck;
  /** Null where the deployment sends no mail. */
  mailbox: Mailbox | null;
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

/** ACC-30 to ACC-33: the requests for letters, and the actions of their links. */
export function createEmailLinks(options: EmailLinksOptions) {
  const acts = createActs(options);
  return { ...createForgottenPasswords(options, acts), ...createAddressProofs(options, acts) };
}

/** The change that a link makes, with its entries in the audit log. */
function createActs({ nextId, now }: EmailLinksOptions) {
  const audit = async (client: ClientBase, userId: string, action: AuditAction): Promise<void> =>
    insertAuditEntries(
      client,
      (await listWorkspaceIds(client, userId)).map((workspaceId) => ({
        auditId: `aud_${nextId()}`,
        actor: userId,
        workspaceId,
        action,
        resource: userId,
        metadata: {},
      })),
    );
  const prove = async (client: ClientBase, userId: string): Promise<void> => {
    if (await markEmailVerified(client, userId, new Date(now()))) {
      await audit(client, userId, "account.email_verified");
    }
  };
  return { audit, prove };
}

type Acts = ReturnType<typeof createActs>;

function createForgottenPasswords(
  { pool, attempt, passwords, mailbox, now }: EmailLinksOptions,
  { audit, prove }: Acts,
) {
  return {
    /**
     * Does the same work for every address, so that neither the answer nor its time reveals the existence of an
     * account.
     */
    forgot(email: string): Promise<"accepted" | "unavailable"> | "accepted" {
      if (mailbox === null) return "accepted";
      return attempt(() =>
        inTransaction(pool, async (client) => {
          await mailbox.forgotPassword(client, email, new Date(now()));
          return "accepted" as const;
        }),
      );
    },

    /**
     * Sets the password and ends all of the person's sessions. The link came by mail, so it also proves the address.
     */
    async redeem(
      token: string,
      newPassword: string,
      showing: Showing,
    ): Promise<"reset" | "unknown" | "full" | "unavailable"> {
      if (!isToken(token)) return "unknown";
      const tokenHash = hashToken(token);
      const find = (db: Pool | ClientBase) =>
        findEmailToken(db, "password_reset", tokenHash, new Date(now()));
      // No password is hashed for an unknown token.
      const known = await attempt(() => find(pool));
      if (known === null || known === "unavailable") return known ?? "unknown";
      const hashed = await passwords.hash(newPassword, showing);
      if (hashed === "full") return "full";
      return attempt(() =>
        inTransaction(pool, async (client) => {
          await lockUser(client, known.userId);
          if ((await find(client)) === null) return "unknown";
          await deleteEmailToken(client, "password_reset", tokenHash);
          await replacePassword(client, known.userId, hashed.passwordHash);
          await audit(client, known.userId, "account.password_reset");
          await prove(client, known.userId);
          return "reset";
        }),
      );
    },
  };
}

function createAddressProofs({ pool, attempt, mailbox, now }: EmailLinksOptions, { prove }: Acts) {
  return {
    state: ({ userId }: Principal): Promise<EmailState | null | "unavailable"> =>
      attempt(() => findEmailState(pool, userId)),

    /** Sends a letter with a new token. The token of an earlier letter ends. */
    sendProof({
      userId,
    }: Principal): Promise<"accepted" | "proved" | "too_soon" | "gone" | "unavailable"> | "no_mail" {
      if (mailbox === null) return "no_mail";
      return attempt(() =>
        inTransaction(pool, async (client) => {
          await lockUser(client, userId);
          const state = await findEmailState(client, userId);
          if (state === null) return "gone";
          if (state.verifiedAt !== null) return "proved";
          const at = new Date(now());
          if (await wasSentLately(client, userId, "address_proof", at)) return "too_soon";
          await mailbox.proveAddress(client, { userId, email: state.email }, at);
          return "accepted";
        }),
      );
    },

    /** A token works once. */
    prove(token: string): Promise<"proved" | "unknown" | "unavailable"> | "unknown" {
      if (!isToken(token)) return "unknown";
      const tokenHash = hashToken(token);
      return attempt(() =>
        inTransaction(pool, async (client) => {
          const found = await findEmailToken(client, "address_proof", tokenHash, new Date(now()));
          if (found === null || !(await deleteEmailToken(client, "address_proof", tokenHash)))
            return "unknown";
          await prove(client, found.userId);
          return "proved";
        }),
      );
    },
  };
}

export type EmailLinks = ReturnType<typeof createEmailLinks>;
