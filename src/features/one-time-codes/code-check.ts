import type { ClientBase, Pool } from "pg";
import { insertAuditEntries, type AuditAction } from "../audit/service.js";
import { listWorkspaceIds, type SecondProof } from "../accounts/service.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { SecretBox } from "../../platform/node/secret-box.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { findCodes, useRecoveryHash, useStep, type StoredCodes } from "./queries.js";
import { hashRecoveryCode, plainCode } from "./recovery-codes.js";
import { stepOf } from "./totp.js";

export interface CodeCheckOptions {
  /** The connections without a tenant, because codes belong to a person and not to one workspace. */
  pool: Pool;
  attempt: Attempt;
  /** Null when SECRET_KEY is not set. */
  secretBox: SecretBox | null;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

const TOTP = /^\d{6}$/;

/** ACC-16, ACC-17: checks codes. Each code works only once. */
export function createCodeCheck({ pool, attempt, secretBox, nextId, now }: CodeCheckOptions) {
  /** Adds an entry to the audit log of each of the person's workspaces. */
  const audit = async (client: ClientBase, userId: string, action: AuditAction): Promise<void> =>
    insertAuditEntries(
      client,
      (await listWorkspaceIds(client, userId)).map((workspaceId) => ({
        auditId: `aud_${nextId()}`,
        actor: userId,
        workspaceId,
        action,
        resource: userId,
        metadata: {},
      })),
    );

  /** Returns null if SECRET_KEY is not set or does not open the secret. */
  const openSecret = (userId: string, { sealed }: StoredCodes): Buffer | null => {
    const text = secretBox?.open(sealed, secretContext(userId)) ?? null;
    return text === null ? null : Buffer.from(text, "hex");
  };

  const useRecoveryCode = (userId: string, code: string): Promise<boolean | "unavailable"> =>
    attempt(() =>
      inTransaction(pool, async (client) => {
        if (!(await useRecoveryHash(client, userId, hashRecoveryCode(code)))) return false;
        await audit(client, userId, "account.recovery_code_used");
        return true;
      }),
    );

  const proof: SecondProof = {
    isOn: (userId) => attempt(async () => (await findCodes(pool, userId))?.isOn === true),

    use(userId, code) {
      const plain = plainCode(code);
      if (!TOTP.test(plain)) return useRecoveryCode(userId, plain);
      return attempt(async () => {
        const codes = await findCodes(pool, userId);
        if (codes === null || !codes.isOn) return false;
        const secret = openSecret(userId, codes);
        if (secret === null) return "unavailable";
        const step = stepOf(plain, secret, now(), codes.lastStep);
        return step !== null && useStep(pool, userId, step);
      });
    },
  };
  return { ...proof, audit, openSecret };
}

export type CodeCheck = ReturnType<typeof createCodeCheck>;

/** The context that a secret is sealed for, so that it opens for its own person only. */
export function secretContext(userId: string): string {
  return `one-time codes ${userId}`;
}
