import type { Pool } from "pg";
import { findApiKeys } from "../persistence/catalog-queries.js";
import type { FindApiKey } from "./api-key-cache.js";

/** Finds keys in PostgreSQL. Two keys of one public id cannot both be meant: 64 random bits tell them apart. */
export function findStoredApiKey(pool: Pool): FindApiKey {
  return async (publicId) => {
    const [key] = await findApiKeys(pool, publicId);
    if (key === undefined) return null;
    return {
      keyId: key.keyId,
      workspaceId: key.workspaceId,
      mode: key.mode,
      scopes: key.scopes,
      merchantId: key.merchantId,
      expiresAtMs: key.expiresAt?.getTime() ?? null,
      revoked: key.revokedAt !== null,
      salt: key.salt,
      hash: key.secretHash,
      workspaceStatus: key.workspaceStatus,
    };
  };
}
