import type { Pool } from "pg";
import {
  hashPassword,
  verifyPassword,
  findUserByEmail,
  insertMembership,
  insertUser,
  replacePassword,
} from "../accounts/service.js";
import { insertAuditEntry } from "../audit/service.js";
import { endPlatformAdmins, setPlatformAdmin } from "./queries.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { insertWorkspace } from "../workspaces/service.js";

/**
 * ADM-6: makes the user of PLATFORM_ADMIN_EMAIL the only platform admin, with PLATFORM_ADMIN_PASSWORD. This holds even
 * if somebody else has registered the address. A new user gets a workspace of their own, because every session belongs
 * to a workspace. ADM-10: if the settings name no admin (`admin` is null), there is none. Returns true if an earlier
 * admin was removed.
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
      // Another node inserted the user first, and that node does the rest.
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
