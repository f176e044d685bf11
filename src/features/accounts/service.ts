import type { ClientBase, Pool } from "pg";
import type { GoByNow } from "../../path/changes/change-queries.js";
import {
  findAccount,
  findLatestAccount,
  findUserByEmail,
  recordLogin,
  type Account,
  insertMembership,
  insertUser,
} from "./queries.js";
import { insertAuditEntry } from "../audit/service.js";
import { deleteSession } from "../../path/access/session-queries.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { PasswordCheck, Showing } from "./password-check.js";
import type { Principal } from "../../path/access/session.js";
import { startSession } from "../../path/access/sessions.js";
import { hashToken, isToken } from "../../path/access/token.js";
import { insertWorkspace, insertMerchant } from "../workspaces/service.js";

/** For other subjects. */
export {
  findUserByEmail,
  insertMembership,
  insertUser,
  findAccount,
  type UserWithPassword,
} from "./queries.js";
export { hashPassword, verifyPassword } from "./password.js";
export { PASSWORDS_FULL, TOO_MANY_FAILURES, type PasswordCheck, type Showing } from "./password-check.js";
export { sendSignedIn, type AccountSettings } from "./account-response.js";

/** A user who has just proved who they are; the token exists nowhere else. */
export interface SignedIn {
  account: Account;
  session: { token: string; expiresAt: Date };
}

export interface Registration {
  email: string;
  password: string;
  name?: string;
  workspaceName: string;
  /** Is registered in the new workspace too. */
  merchantId?: string;
}

export interface Login {
  email: string;
  password: string;
  /** One of several; otherwise the one signed in to last. */
  workspaceId?: string;
}

/** `full`: too many passwords are being checked. */
type Refused = "full" | "unavailable";
type LoginRefused = "wrong_password" | "too_many_failures" | "no_membership" | "inactive_tenant";

export interface AccountsOptions {
  pool: Pool;
  attempt: Attempt;
  passwords: PasswordCheck;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
  goByNow: GoByNow;
}

/** People, and how they come in and leave. */
export function createAccounts({ pool, attempt, passwords, nextId, now, goByNow }: AccountsOptions) {
  const signIn = async (client: ClientBase, account: Account): Promise<SignedIn> => {
    const { workspaceId } = account.workspace;
    const { userId } = account.user;
    await recordLogin(client, { workspaceId, userId }, new Date(now()));
    return { account, session: await startSession(client, { userId, workspaceId }, now()) };
  };

  const createWorkspaceOfOwner = async (
    client: ClientBase,
    registration: Registration,
    passwordHash: string,
  ): Promise<SignedIn | "email_taken"> => {
    const { email, name, workspaceName, merchantId } = registration;
    const ids = { userId: `usr_${nextId()}`, workspaceId: `ws_${nextId()}` };
    const isNew = await insertUser(client, {
      userId: ids.userId,
      email,
      passwordHash,
      ...(name === undefined ? {} : { name }),
    });
    if (!isNew) return "email_taken";
    await insertWorkspace(client, { workspaceId: ids.workspaceId, name: workspaceName });
    await insertMembership(client, { ...ids, role: "owner" });
    if (merchantId !== undefined) {
      await insertMerchant(client, { workspaceId: ids.workspaceId, merchantId });
    }
    await insertAuditEntry(client, {
      auditId: `aud_${nextId()}`,
      actor: ids.userId,
      workspaceId: ids.workspaceId,
      action: "workspace.created",
      resource: ids.workspaceId,
      metadata: { merchant_id: merchantId ?? null },
    });
    const account = await findAccount(client, ids);
    if (account === null) throw new Error("a workspace without its owner");
    return signIn(client, account);
  };

  return {
    async register(
      registration: Registration,
      showing: Showing,
    ): Promise<SignedIn | "email_taken" | Refused> {
      // Where PostgreSQL is known to be away, no password is worked on for nothing.
      if ((await attempt(async () => null)) === "unavailable") return "unavailable";
      // Before any look, so that an address that is taken is told neither sooner nor cheaper than a new one.
      const hashed = await passwords.hash(registration.password, showing);
      if (hashed === "full") return "full";
      const registered = await attempt(() =>
        inTransaction(pool, (client) => createWorkspaceOfOwner(client, registration, hashed.passwordHash)),
      );
      // Its merchant is decided for from the answer on.
      const { merchantId } = registration;
      if (typeof registered !== "string" && merchantId !== undefined)
        await attempt(() => goByNow(firstChanges(registered.account, merchantId)));
      return registered;
    },

    /**
     * An unknown address and a wrong password are one answer, after the same work. The new session takes the place of the
     * one that is shown.
     */
    async login(login: Login, showing: Showing): Promise<SignedIn | LoginRefused | Refused> {
      const user = await attempt(() => findUserByEmail(pool, login.email));
      if (user === "unavailable") return user;
      const isRight = await passwords.isRight(login, user, showing);
      if (typeof isRight === "string") return isRight;
      if (user === null || !isRight) return "wrong_password";
      const { userId } = user;
      return attempt(() =>
        inTransaction(pool, async (client) => {
          const account =
            login.workspaceId === undefined
              ? await findLatestAccount(client, userId)
              : await findAccount(client, { workspaceId: login.workspaceId, userId });
          if (account === null) return "no_membership";
          if (account.workspace.status !== "active") return "inactive_tenant";
          const { presentedToken } = showing;
          if (presentedToken !== null && isToken(presentedToken))
            await deleteSession(client, hashToken(presentedToken));
          return signIn(client, account);
        }),
      );
    },

    logout({ sessionKey }: Principal): Promise<void | "unavailable"> {
      return attempt(() => deleteSession(pool, Buffer.from(sessionKey, "hex")));
    },

    /** Null when the user has been removed a moment ago. */
    me({ workspaceId, userId }: Principal): Promise<Account | null | "unavailable"> {
      return attempt(() => findAccount(pool, { workspaceId, userId }));
    },

    signIn,
  };
}

function firstChanges({ workspace: { workspaceId } }: Account, merchantId: string): Parameters<GoByNow>[0] {
  return [
    { kind: "workspace", workspaceId, key: "" },
    { kind: "merchant", workspaceId, key: merchantId },
  ];
}

export type Accounts = ReturnType<typeof createAccounts>;
