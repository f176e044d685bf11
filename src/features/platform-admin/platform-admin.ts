import type { Pool } from "pg";
import {
  hashPassword,
  verifyPassword,
  findUserByEmail,
  insertMembership,
  insertUser,
} from "../accounts/service.js";
import { insertAuditEntry } from "../audit/service.js";
import { endPlatformAdmins, replacePassword, setPlatformAdmin } from "./queries.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { insertWorkspace } from "../workspaces/service.js";

/**
 * ADM-6: the user of PLATFORM_ADMIN_EMAIL and nobody else, with PLATFORM_ADMIN_PASSWORD, whoever registered the
 * address before. A new user gets a workspace of their own, since a session is always in one. ADM-10: null, and so
 * nobody, where the settings name nobody; true where there was one before.
 */
export async function ensurePlatformAdmin(
  pool: Pool,
  admin: { email: string; password: string } | null,
  nextId: () => string,
): Promise<boolean> {
  if (admin === null) return endPlatformAdmins(pool);
  const { email, password } = admin;
  const known = await findUserByEmail(pool, email);
  if (known === null) {
    const passwordHash = hashPassword(password);
    const userId = `usr_${nextId()}`;
    const workspaceId = `ws_${nextId()}`;
    await inTransaction(pool, async (client) => {
      // Another node came first: it has done all of this.
      if (!(await insertUser(client, { userId, email, name: "Platform admin", passwordHash }))) return;
      await insertWorkspace(client, { workspaceId, name: "Platform" });
      await insertMembership(client, { workspaceId, userId, role: "owner" });
      await setPlatformAdmin(client, userId);
      await insertAuditEntry(client, {
        auditId: `aud_${nextId()}`,
        actor: userId,
        workspaceId,
        action: "workspace.created",
        resource: workspaceId,
        metadata: {},
      });
    });
    return false;
  }
  const { userId } = known;
  const passwordHash = verifyPassword(password, known.passwordHash) ? null : hashPassword(password);
  await inTransaction(pool, async (client) => {
    if (passwordHash !== null) await replacePassword(client, userId, passwordHash);
    await setPlatformAdmin(client, userId);
  });
  return false;
}
