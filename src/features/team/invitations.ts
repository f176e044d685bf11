import type { ClientBase, Pool } from "pg";
import {
  findAccount,
  findUserByEmail,
  type UserWithPassword,
  insertMembership,
  insertUser,
  type Accounts,
  type SignedIn,
  type SignInProof,
  type ProofRefusal,
  type PasswordCheck,
  type Showing,
} from "../accounts/service.js";
import type { Mailbox } from "../mail/service.js";
import { insertAuditEntry } from "../audit/service.js";
import {
  countPendingInvitations,
  deleteOutdatedInvitations,
  findPendingInvitation,
  insertInvitation,
  markInvitationAccepted,
  type Invitation,
} from "./queries/invitation.js";
import { countMembers, findMember, hasMemberWithEmail, lockTeam } from "./queries/team.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { limitReached, type KeptLimits, type LimitReached } from "../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { InvitedRole } from "../../domain/vocabulary/vocabulary.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { CellName } from "../../path/access/cell.js";
import type { Principal } from "../../path/access/session.js";
import { generateToken, hashToken, isToken } from "../../path/access/token.js";
import type { AnyConnection, TenantDb } from "../../platform/postgres/tenant-db.js";

export interface Acceptance {
  token: string;
  name: string;
  password: string;
  /** A one-time code or a recovery code, for an account that needs one. */
  code?: string;
}

export interface InvitationsOptions {
  /**
   * The connections without a tenant, because the accepting person is not a member yet and only the token leads to the
   * invitation.
   */
  pool: Pool;
  tenants: TenantDb;
  attempt: Attempt;
  kept: KeptLimits;
  /** ACC-27: null where the deployment sends no mail. */
  mailbox: Mailbox | null;
  passwords: PasswordCheck;
  prove: SignInProof;
  signIn: Accounts["signIn"];
  cell: CellName;
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

interface Invited {
  invitation: Invitation;
  /** Null if only the letter contains the token. */
  token: string | null;
}

type AcceptanceResult =
  | SignedIn
  | ProofRefusal
  | "unknown_invitation"
  | "inactive_tenant"
  | "already_member"
  | "team_full"
  | "email_taken";

/** ACC-7: invites members and accepts invitations. */
export function createInvitations(options: InvitationsOptions) {
  const { pool, tenants, attempt, kept, mailbox, passwords, prove, signIn, cell, nextId, now } = options;
  const audit = (
    client: AnyConnection,
    action: "team.invited" | "team.joined",
    actor: string,
    { workspaceId, invitationId, role }: Invitation,
  ): Promise<void> =>
    insertAuditEntry(client, {
      auditId: `aud_${nextId()}`,
      actor,
      workspaceId,
      action,
      resource: invitationId,
      metadata: { role },
    });

  const join = async (
    client: ClientBase,
    invitation: Invitation,
    known: UserWithPassword | null,
    newcomer: { name: string; passwordHash: string } | null,
    showing: Showing,
  ): Promise<AcceptanceResult> => {
    const { workspaceId, email, role } = invitation;
    await lockTeam(client, workspaceId);
    const userId = known?.userId ?? `usr_${nextId()}`;
    if (known !== null && (await findMember(client, workspaceId, userId)) !== null) return "already_member";
    // Invitations do not count as members, so more may be pending than the team has room for.
    if ((await countMembers(client, workspaceId)) >= LIMITS.membersMax) return "team_full";
    if (!(await markInvitationAccepted(client, invitation, new Date(now())))) return "unknown_invitation";
    const isThere = newcomer === null || (await insertUser(client, { userId, email, ...newcomer }));
    // The user registered after the look-up, with a password that was not compared here.
    if (!isThere) throw new RegisteredMeanwhile();
    await insertMembership(client, { workspaceId, userId, role });
    await audit(client, "team.joined", userId, invitation);
    const account = await findAccount(client, { workspaceId, userId });
    if (account === null) throw new Error("the new member has no account");
    // The error rolls the transaction back, so that a suspended workspace keeps its invitation.
    if (account.workspace.status !== "active") throw new InactiveTenant();
    return signIn(client, account, showing);
  };

  return {
    /** Returns the token this one time, or sends it by mail. An earlier invitation of the same address ends. */
    invite(
      by: Principal,
      email: string,
      role: InvitedRole,
    ): Promise<Invited | LimitReached | "already_member" | "team_full" | "unavailable"> {
      const { workspaceId, userId } = by;
      const createdAt = new Date(now());
      const expiresAt = new Date(createdAt.getTime() + LIMITS.invitationLifeMs);
      const token = generateToken(cell);
      const invitation = { invitationId: `inv_${nextId()}`, workspaceId, email, role, createdAt, expiresAt };
      return attempt(() =>
        tenants.of(workspaceId).transaction(async (client) => {
          await lockTeam(client, workspaceId);
          if (await hasMemberWithEmail(client, workspaceId, email)) return "already_member";
          await deleteOutdatedInvitations(client, workspaceId, email, createdAt);
          const full = limitReached(kept, "invitations", await countPendingInvitations(client, workspaceId));
          if (full !== null) return full;
          if ((await countMembers(client, workspaceId)) >= LIMITS.membersMax) return "team_full";
          await insertInvitation(client, { ...invitation, tokenHash: hashToken(token), invitedBy: userId });
          await audit(client, "team.invited", userId, invitation);
          await mailbox?.add(client, {
            kind: "invitation",
            workspaceId,
            recipient: email,
            author: userId,
            token,
            createdAt,
            expiresAt,
          });
          return { invitation, token: mailbox === null ? token : null };
        }),
      );
    },

    /** If the address already has a user, the password must be that user's, and the user keeps their name. */
    async accept(acceptance: Acceptance, showing: Showing): Promise<AcceptanceResult> {
      const { token, name, password, code } = acceptance;
      if (!isToken(token)) return "unknown_invitation";
      const found = await attempt(async () => {
        const invitation = await findPendingInvitation(pool, hashToken(token), new Date(now()));
        return invitation && { invitation, user: await findUserByEmail(pool, invitation.email) };
      });
      if (found === "unavailable") return "unavailable";
      if (found === null) return "unknown_invitation";
      const { invitation, user } = found;
      const shown = { email: invitation.email, password, code };
      const proof =
        user === null ? await passwords.hash(password, showing) : await prove(shown, user, showing);
      if (typeof proof === "string") return proof;
      const newcomer = proof === null ? null : { name, passwordHash: proof.passwordHash };
      return attempt(() =>
        inTransaction(pool, (client) => join(client, invitation, user, newcomer, showing)).catch(refusalOf),
      );
    },
  };
}

export type Invitations = ReturnType<typeof createInvitations>;

/** These errors roll the transaction back. */
class InactiveTenant extends Error {}
class RegisteredMeanwhile extends Error {}

function refusalOf(error: unknown): AcceptanceResult {
  if (error instanceof InactiveTenant) return "inactive_tenant";
  if (error instanceof RegisteredMeanwhile) return "email_taken";
  throw error;
}
