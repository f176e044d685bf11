import type { ListedRows, ListPage } from "../../platform/postgres/list-page.js";
import { insertAuditEntry } from "../audit/service.js";
import { listPendingInvitations, type Invitation } from "./queries/invitation.js";
import {
  countOwners,
  deleteMember,
  findMember,
  listMembers,
  lockTeam,
  updateMemberRole,
  type Member,
} from "./queries/team.js";
import { isId } from "../../domain/ids/ids.js";
import type { Role } from "../../domain/vocabulary/vocabulary.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { Principal } from "../../path/access/session.js";
import type { TenantConnection, TenantDb } from "../../platform/postgres/tenant-db.js";

type Listed<Row> = Promise<ListedRows<Row> | "unavailable">;

export interface TeamOptions {
  tenants: TenantDb;
  attempt: Attempt;
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

/** `forbidden`: only an owner may change an owner. `last_owner`: the workspace would have no owner left. */
type TeamRefusal = "not_found" | "forbidden" | "last_owner";

export function createTeam({ tenants, attempt, nextId, now }: TeamOptions) {
  const audit = (
    client: TenantConnection,
    by: Principal,
    action: "team.role_changed" | "team.removed",
    userId: string,
    metadata: Record<string, string | null>,
  ): Promise<void> =>
    insertAuditEntry(client, {
      auditId: `aud_${nextId()}`,
      actor: by.userId,
      workspaceId: by.workspaceId,
      action,
      resource: userId,
      metadata,
    });

  /** Returns why this member may not get `role`, or may not be removed when `role` is null. */
  const refuse = async (
    client: TenantConnection,
    by: Principal,
    member: Member,
    role: Role | null,
  ): Promise<TeamRefusal | null> => {
    // The actor is read again, because two owners may be demoting each other.
    const actor = await findMember(client, by.workspaceId, by.userId);
    if (actor === null || (actor.role !== "owner" && actor.role !== "admin")) return "forbidden";
    if (member.role === "owner" && role !== "owner") {
      if ((await countOwners(client, by.workspaceId)) === 1) return "last_owner";
      if (actor.role !== "owner") return "forbidden";
    }
    return role === "owner" && actor.role !== "owner" ? "forbidden" : null;
  };

  /** Serialises the changes to a team. */
  const change = <T>(
    by: Principal,
    userId: string,
    role: Role | null,
    work: (client: TenantConnection, member: Member) => Promise<T>,
  ): Promise<T | TeamRefusal | "unavailable"> =>
    attempt(() =>
      tenants.of(by.workspaceId).transaction(async (client) => {
        await lockTeam(client, by.workspaceId);
        const member = isId(userId, "usr") ? await findMember(client, by.workspaceId, userId) : null;
        if (member === null) return "not_found";
        return (await refuse(client, by, member, role)) ?? work(client, member);
      }),
    );

  return {
    members: ({ workspaceId }: Principal, page: ListPage): Listed<Member> =>
      attempt(() => listMembers(tenants.of(workspaceId), workspaceId, page)),

    /** The invitations that can still be accepted, newest first. */
    invitations: ({ workspaceId }: Principal, page: ListPage): Listed<Invitation> =>
      attempt(() => listPendingInvitations(tenants.of(workspaceId), workspaceId, new Date(now()), page)),

    /** The member's sessions live on. Each request reads the role, so the new one holds from the next request. */
    changeRole(by: Principal, userId: string, role: Role): Promise<Member | TeamRefusal | "unavailable"> {
      return change(by, userId, role, async (client, member) => {
        if (member.role === role) return member;
        await updateMemberRole(client, { workspaceId: by.workspaceId, userId }, role);
        await audit(client, by, "team.role_changed", userId, { from: member.role, to: role });
        return { ...member, role };
      });
    },

    /** Removes a member and ends their sessions in this workspace. */
    remove(by: Principal, userId: string): Promise<"removed" | TeamRefusal | "unavailable"> {
      return change(by, userId, null, async (client, member) => {
        await deleteMember(client, { workspaceId: by.workspaceId, userId });
        await audit(client, by, "team.removed", userId, { role: member.role });
        return "removed" as const;
      });
    },
  };
}

export type Team = ReturnType<typeof createTeam>;
