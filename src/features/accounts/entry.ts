import type { ClientBase, Pool } from "pg";
import type { Attempt } from "../../path/access/attempt.js";
import { deleteSession } from "../../path/access/session-queries.js";
import { hashToken, isToken } from "../../path/access/token.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import type { Showing } from "./password-check.js";
import { findAccount, findLatestAccount } from "./queries.js";
import type { SignedIn, SignIn } from "./registration.js";
import type { SignInAudit, SignInMetadata } from "./sign-in-audit.js";

export type EntryRefused = "no_membership" | "inactive_tenant";

/** A person with a proven identity. */
export interface Entry<Refusal extends string = never> {
  userId: string;
  workspaceId?: string | undefined;
  metadata: SignInMetadata;
  /** AUTH-38: true if an identity provider asked for several factors. */
  hasSecondFactor?: boolean;
  /** Runs in the transaction of the sign-in, before anything is written. It may refuse the sign-in. */
  within?(client: ClientBase): Promise<Refusal | null>;
}

interface EntryOptions {
  pool: Pool;
  attempt: Attempt;
  audit: SignInAudit;
  signIn: SignIn;
}

/** Signs in a person with a proven identity. The new session replaces the one that the request presents. */
export function createEntry({ pool, attempt, audit, signIn }: EntryOptions) {
  return <Refusal extends string = never>(
    { userId, workspaceId, metadata, hasSecondFactor, within }: Entry<Refusal>,
    showing: Showing,
  ): Promise<SignedIn | EntryRefused | Refusal | "unavailable"> =>
    attempt(() =>
      inTransaction<SignedIn | EntryRefused | Refusal>(pool, async (client) => {
        const account =
          workspaceId === undefined
            ? await findLatestAccount(client, userId)
            : await findAccount(client, { workspaceId, userId });
        if (account === null) return "no_membership";
        if (account.workspace.status !== "active") return "inactive_tenant";
        const refusal = (await within?.(client)) ?? null;
        if (refusal !== null) return refusal;
        const { presentedToken } = showing;
        if (presentedToken !== null && isToken(presentedToken))
          await deleteSession(client, hashToken(presentedToken));
        await audit.succeeded(client, account, metadata);
        return signIn(client, account, showing, hasSecondFactor);
      }),
    );
}
