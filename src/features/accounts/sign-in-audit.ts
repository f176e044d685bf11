import type { ClientBase, Pool } from "pg";
import { insertAuditEntries, insertAuditEntry } from "../audit/service.js";
import type { Attempt } from "../../path/access/attempt.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { listWorkspaceIds, type Account } from "./queries.js";

export interface SignInAuditOptions {
  pool: Pool;
  attempt: Attempt;
  /** The 26 characters of a new id. */
  nextId(): string;
}

/** AUTH-30: the method of a sign-in. If it is absent, the method was a password. */
export type SignInMetadata = { readonly method?: "oidc" };

/** ADM-11: notes successful and failed sign-ins in the audit log. */
export function createSignInAudit({ pool, attempt, nextId }: SignInAuditOptions) {
  return {
    succeeded: (
      client: ClientBase,
      { user: { userId }, workspace: { workspaceId } }: Account,
      metadata: SignInMetadata,
    ): Promise<void> =>
      insertAuditEntry(client, {
        auditId: `aud_${nextId()}`,
        actor: userId,
        workspaceId,
        action: "account.signed_in",
        resource: userId,
        metadata,
      }),

    /**
     * Adds an audit entry about a wrong password or a refused identity to all of the person's workspaces. Do not delay
     * the answer until the entry is stored, because the delay would reveal who has an account.
     */
    async failed(userId: string, metadata: SignInMetadata): Promise<void> {
      await attempt(() =>
        inTransaction(pool, async (client) => {
          const workspaceIds = await listWorkspaceIds(client, userId);
          await insertAuditEntries(
            client,
            workspaceIds.map((workspaceId) => ({
              auditId: `aud_${nextId()}`,
              actor: userId,
              workspaceId,
              action: "account.sign_in_failed",
              resource: userId,
              metadata,
            })),
          );
        }),
      );
    },
  };
}

export type SignInAudit = ReturnType<typeof createSignInAudit>;
