import type { Pool } from "pg";
import { insertAuditEntry } from "../audit/service.js";
import { deleteCodes } from "../one-time-codes/service.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { Principal } from "../../path/access/session.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { resetRefusal, type ResetRefusal } from "./reset-refusal.js";

export interface CodeResetsOptions {
  /** The connections without a tenant, because codes belong to a person and not to one workspace. */
  pool: Pool;
  attempt: Attempt;
  nextId(): string;
}

/** ACC-19: turns off the codes of a member who has lost them. The member can then sign in with the password alone. */
export function createCodeReset({ pool, attempt, nextId }: CodeResetsOptions) {
  return (by: Principal, userId: string): Promise<"reset" | "no_codes" | ResetRefusal | "unavailable"> =>
    attempt(() =>
      inTransaction(pool, async (client) => {
        const refusal = await resetRefusal(client, by, userId);
        if (refusal !== null) return refusal;
        if (!(await deleteCodes(client, userId))) return "no_codes";
        await insertAuditEntry(client, {
          auditId: `aud_${nextId()}`,
          actor: by.userId,
          workspaceId: by.workspaceId,
          action: "team.one_time_codes_reset",
          resource: userId,
          metadata: {},
        });
        return "reset";
      }),
    );
}

export type ResetCodes = ReturnType<typeof createCodeReset>;
