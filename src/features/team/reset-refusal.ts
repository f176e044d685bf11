import type { ClientBase } from "pg";
import { isOnlyMemberOf } from "../accounts/service.js";
import { isId } from "../../domain/ids/ids.js";
import type { Principal } from "../../path/access/session.js";
import { findMember, lockTeam } from "./queries/team.js";

/**
 * `own`: a session alone must not replace its person's credentials. `elsewhere`: the credentials open other workspaces
 * too, so nobody here may replace them.
 */
export type ResetRefusal = "not_found" | "forbidden" | "own" | "elsewhere";

/**
 * ACC-12, ACC-19: returns the reason why somebody may not replace a member's credentials, or null if they may. Locks
 * the team.
 */
export async function resetRefusal(
  client: ClientBase,
  by: Principal,
  userId: string,
): Promise<ResetRefusal | null> {
  const { workspaceId } = by;
  await lockTeam(client, workspaceId);
  const member = isId(userId, "usr") ? await findMember(client, workspaceId, userId) : null;
  if (member === null) return "not_found";
  if (userId === by.userId) return "own";
  // The actor is read again, because their role may have changed a moment ago.
  const actor = await findMember(client, workspaceId, by.userId);
  if (actor?.role !== "owner" && (actor?.role !== "admin" || member.role === "owner")) return "forbidden";
  return (await isOnlyMemberOf(client, { workspaceId, userId })) ? null : "elsewhere";
}
