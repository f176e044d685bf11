import type { ClientBase } from "pg";
import { insertAuditEntry } from "../audit/service.js";
import { insertMerchant, insertWorkspace } from "../workspaces/service.js";
import type { Queryable } from "../../platform/postgres/pool.js";
import {
  findAccount,
  hasAccounts,
  insertMembership,
  insertUser,
  lockRegistration,
  type Account,
} from "./queries.js";

/** A user who has just proved who they are; the token exists nowhere else. */
export interface SignedIn {
  account: Account;
  session: { token: string; expiresAt: Date };
}

export type SignIn = (client: ClientBase, account: Account) => Promise<SignedIn>;

export interface Registration {
  email: string;
  password: string;
  name?: string;
  workspaceName: string;
  /** Is registered in the new workspace too. */
  merchantId?: string;
}

/** `closed`: who has no invitation stays outside. */
export type RegistrationRefusal = "email_taken" | "closed";

interface RegistrationsOptions {
  /** REGISTRATION */
  isOpen: boolean;
  nextId(): string;
  signIn: SignIn;
}

/** ACC-10: who may make an account and a workspace of their own: everybody, or the first one alone. */
export function createRegistrations({ isOpen, nextId, signIn }: RegistrationsOptions) {
  return {
    areOpen: async (db: Queryable): Promise<boolean> => isOpen || !(await hasAccounts(db)),

    /** A user, their workspace, and a session in it. */
    async create(
      client: ClientBase,
      registration: Registration,
      passwordHash: string,
    ): Promise<SignedIn | RegistrationRefusal> {
      if (!isOpen) {
        // Of two that come first, one is.
        await lockRegistration(client);
        if (await hasAccounts(client)) return "closed";
      }
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
    },
  };
}
