import type { ClientBase } from "pg";
import type { Mailbox } from "../mail/service.js";
import { insertAuditEntry } from "../audit/service.js";
import { insertMerchant, insertWorkspace } from "../workspaces/service.js";
import type { Queryable } from "../../platform/postgres/pool.js";
import type { Showing } from "./password-check.js";
import {
  findAccount,
  hasAccounts,
  insertMembership,
  insertUser,
  lockRegistration,
  type Account,
} from "./queries.js";

/** A user with a newly proven identity. The session token is stored nowhere else. */
export interface SignedIn {
  account: Account;
  session: { token: string; expiresAt: Date };
}

/**
 * `showing` is the request that signs in. `hasSecondFactor` is true if an identity provider asked for several factors
 * (AUTH-38).
 */
export type SignIn = (
  client: ClientBase,
  account: Account,
  showing: Showing,
  hasSecondFactor?: boolean,
) => Promise<SignedIn>;

export interface Registration {
  email: string;
  password: string;
  name?: string;
  workspaceName: string;
  /** The id of a merchant to register in the new workspace. */
  merchantId?: string;
}

/** `closed`: only people with an invitation may register. */
export type RegistrationRefusal = "email_taken" | "closed";

interface RegistrationsOptions {
  /** The REGISTRATION setting. */
  isOpen: boolean;
  /** ACC-31: null where the deployment sends no mail. */
  mailbox: Mailbox | null;
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
  signIn: SignIn;
}

/** ACC-10: decides who may create an account with a workspace: everybody, or only the first person. */
export function createRegistrations({ isOpen, mailbox, nextId, now, signIn }: RegistrationsOptions) {
  return {
    areOpen: async (db: Queryable): Promise<boolean> => isOpen || !(await hasAccounts(db)),

    /** Creates a user, their workspace, and a session in it. */
    async create(
      client: ClientBase,
      registration: Registration,
      passwordHash: string,
      showing: Showing,
    ): Promise<SignedIn | RegistrationRefusal> {
      if (!isOpen) {
        // The lock makes concurrent registrations wait, so that only the first one succeeds.
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
      await mailbox?.proveAddress(client, { userId: ids.userId, email }, new Date(now()));
      const account = await findAccount(client, ids);
      if (account === null) throw new Error("the new workspace has no owner");
      return signIn(client, account, showing);
    },
  };
}
