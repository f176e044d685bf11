import type { Pool } from "pg";
import type { Mailbox } from "../mail/service.js";
import type { ApplyChangesNow } from "../../path/changes/change-queries.js";
import { findAccount, findUserByEmail, recordLogin, type Account } from "./queries.js";
import {
  createRegistrations,
  type Registration,
  type RegistrationRefusal,
  type SignedIn,
  type SignIn,
} from "./registration.js";
import type { CellName } from "../../path/access/cell.js";
import { createEntry, type EntryRefused } from "./entry.js";
import { createSignInAudit } from "./sign-in-audit.js";
import { deleteSession } from "../../path/access/session-queries.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { PasswordCheck, Showing } from "./password-check.js";
import type { Principal } from "../../path/access/session.js";
import type { ProofRefusal, SignInProof } from "./sign-in-proof.js";
import { startSession } from "../../path/access/sessions.js";

/** These exports are for other features. */
export {
  findUserByEmail,
  findUserById,
  listWorkspaceIds,
  insertMembership,
  insertUser,
  isOnlyMemberOf,
  lockUser,
  replacePassword,
  findAccount,
  type UserWithPassword,
} from "./queries.js";
export { hashPassword, verifyPassword } from "./password.js";
export { PASSWORDS_FULL, TOO_MANY_FAILURES, type PasswordCheck, type Showing } from "./password-check.js";
export type { SecondProof, SignInProof, ProofRefusal } from "./sign-in-proof.js";
export { deviceOf } from "./device.js";
export type { SignedIn } from "./registration.js";
export { sendSignedIn, type AccountSettings } from "./account-response.js";

export interface Login {
  email: string;
  password: string;
  /** A one-time code or a recovery code. */
  code?: string;
  /** The workspace to sign in to, for a user with several. `findLatestAccount` picks the default. */
  workspaceId?: string;
}

/** `full`: too many passwords are waiting to be checked. */
type Refused = "full" | "unavailable";
type LoginRefused = ProofRefusal | EntryRefused;

export interface AccountsOptions {
  pool: Pool;
  attempt: Attempt;
  passwords: PasswordCheck;
  prove: SignInProof;
  /** The REGISTRATION setting. */
  registrationIsOpen: boolean;
  /** ACC-31: null where the deployment sends no mail. */
  mailbox: Mailbox | null;
  cell: CellName;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
  applyChangesNow: ApplyChangesNow;
}

/** Registers people, signs them in and signs them out. */
export function createAccounts(options: AccountsOptions) {
  const { pool, attempt, passwords, prove, cell, nextId, now, applyChangesNow } = options;
  const signIn: SignIn = async (client, account, { source, device }, hasSecondFactor = false) => {
    const { workspaceId } = account.workspace;
    const { userId } = account.user;
    await recordLogin(client, { workspaceId, userId }, new Date(now()));
    const origin = { address: source, device };
    const beginning = { origin, hasSecondFactor, cell };
    return { account, session: await startSession(client, { userId, workspaceId }, now(), beginning) };
  };
  const audit = createSignInAudit({ pool, attempt, nextId });
  const registrations = createRegistrations({ ...options, isOpen: options.registrationIsOpen, signIn });
  const enter = createEntry({ pool, attempt, audit, signIn });

  return {
    async register(
      registration: Registration,
      showing: Showing,
    ): Promise<SignedIn | RegistrationRefusal | Refused> {
      // No password is hashed while PostgreSQL is away or registration is closed.
      const mayRegister = await attempt(() => registrations.areOpen(pool));
      if (mayRegister !== true) return mayRegister === false ? "closed" : mayRegister;
      // The password is hashed before the address is looked up, so that the answer's time does not reveal a taken
      // address.
      const hashed = await passwords.hash(registration.password, showing);
      if (hashed === "full") return "full";
      const registered = await attempt(() =>
        inTransaction(pool, (client) =>
          registrations.create(client, registration, hashed.passwordHash, showing),
        ),
      );
      // Decisions for the new merchant are possible as soon as the answer is sent.
      const { merchantId } = registration;
      if (typeof registered !== "string" && merchantId !== undefined)
        await attempt(() => applyChangesNow(firstChanges(registered.account, merchantId)));
      return registered;
    },

    /** An unknown address and a wrong password get the same answer, after the same work. */
    async login(login: Login, showing: Showing): Promise<SignedIn | LoginRefused | Refused> {
      const user = await attempt(() => findUserByEmail(pool, login.email));
      if (user === "unavailable") return user;
      const refusal = await prove(login, user, showing);
      if (user === null) return refusal ?? "wrong_password";
      const { userId } = user;
      if (refusal === "wrong_password" || refusal === "wrong_code") void audit.failed(userId, {});
      if (refusal !== null) return refusal;
      return enter({ userId, workspaceId: login.workspaceId, metadata: {} }, showing);
    },

    enter,

    /** Notes a failed sign-in. The answer does not wait for it. */
    failed: audit.failed,

    logout({ sessionKey }: Principal): Promise<void | "unavailable"> {
      return attempt(() => deleteSession(pool, Buffer.from(sessionKey, "hex")));
    },

    /** Returns null when the user was removed a moment ago. */
    me({ workspaceId, userId }: Principal): Promise<Account | null | "unavailable"> {
      return attempt(() => findAccount(pool, { workspaceId, userId }));
    },

    signIn,
  };
}

function firstChanges(
  { workspace: { workspaceId } }: Account,
  merchantId: string,
): Parameters<ApplyChangesNow>[0] {
  return [
    { kind: "workspace", workspaceId, key: "" },
    { kind: "merchant", workspaceId, key: merchantId },
  ];
}

export type Accounts = ReturnType<typeof createAccounts>;
