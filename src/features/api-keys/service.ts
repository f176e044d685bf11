import {
  countActiveApiKeys,
  dropOldestEnded,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
} from "./queries.js";
import { insertAuditEntry } from "../audit/service.js";
import { isId } from "../../domain/ids/ids.js";
import { limitReached, type KeptLimits, type LimitReached } from "../../domain/vocabulary/kept-limits.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { CellName } from "../../path/access/cell.js";
import { issueApiKey, type ApiKeyRequest } from "./issue-api-key.js";
import type { Principal } from "../../path/access/session.js";
import type { ListedRows, ListPage } from "../../platform/postgres/list-page.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import { hasMerchant, lockWorkspace } from "../workspaces/service.js";

export interface ApiKeysOptions {
  tenants: TenantDb;
  attempt: Attempt;
  kept: KeptLimits;
  cell: CellName;
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
  /** Makes this node forget a key, in memory and on its disk. */
  forget(publicId: string): void;
}

/** KEY-5: the keys as the dashboard sees them. */
export function createApiKeys({ tenants, attempt, kept, cell, nextId, now, forget }: ApiKeysOptions) {
  return {
    list({ workspaceId }: Principal, page: ListPage): Promise<ListedRows<ApiKey> | "unavailable"> {
      return attempt(() => listApiKeys(tenants.of(workspaceId), workspaceId, page));
    },

    /** Creates a key. The returned secret is stored nowhere else. */
    create(
      by: Principal,
      wanted: Omit<ApiKeyRequest, "keyId" | "workspaceId">,
    ): Promise<{ key: ApiKey; secret: string } | LimitReached | "unknown_merchant" | "unavailable"> {
      const { workspaceId } = by;
      const keyId = `key_${nextId()}`;
      return attempt(() =>
        tenants.of(workspaceId).transaction(async (client) => {
          const { merchantId } = wanted;
          if (merchantId !== null && !(await hasMerchant(client, workspaceId, merchantId))) {
            return "unknown_merchant";
          }
          await lockWorkspace(client, workspaceId);
          const full = limitReached(kept, "apiKeys", await countActiveApiKeys(client, workspaceId));
          if (full !== null) return full;
          if (kept.apiKeys > 0) await dropOldestEnded(client, workspaceId, new Date(now()), kept.apiKeys);
          const { secret } = await issueApiKey(client, { ...wanted, keyId, workspaceId }, cell);
          await insertAuditEntry(client, {
            auditId: `aud_${nextId()}`,
            actor: by.userId,
            workspaceId,
            action: "api_key.created",
            resource: keyId,
            metadata: { mode: wanted.mode, scopes: wanted.scopes.join(" "), merchant_id: merchantId },
          });
          const key = await findApiKey(client, workspaceId, keyId);
          if (key === null) throw new Error("the new key is not stored");
          return { key, secret };
        }),
      );
    },

    /** Returns null for an id that is unknown, malformed or another workspace's. A revoked key stays as it is. */
    async revoke(by: Principal, keyId: string): Promise<ApiKey | null | "unavailable"> {
      if (!isId(keyId, "key")) return null;
      const { workspaceId } = by;
      const revoked = await attempt(() =>
        tenants.of(workspaceId).transaction(async (client) => {
          const isRevoked = await revokeApiKey(client, workspaceId, keyId, new Date(now()));
          const key = await findApiKey(client, workspaceId, keyId);
          if (isRevoked) {
            await insertAuditEntry(client, {
              auditId: `aud_${nextId()}`,
              actor: by.userId,
              workspaceId,
              action: "api_key.revoked",
              resource: keyId,
              metadata: { merchant_id: key?.merchantId ?? null },
            });
          }
          return key;
        }),
      );
      // KEY-9: a revoked key stops at once on this node, so it is forgotten before the answer.
      if (revoked !== null && revoked !== "unavailable") forget(revoked.publicId);
      return revoked;
    },
  };
}

export type ApiKeys = ReturnType<typeof createApiKeys>;
