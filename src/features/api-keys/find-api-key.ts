import type { Pool } from "pg";
import { findApiKeysOf, findApiKeys, type ApiKey } from "./queries.js";
import type { FindApiKey, StoredApiKey } from "../../path/access/grant.js";

/**
 * Finds keys in PostgreSQL. A public id has 64 random bits, so two keys with the same public id are practically
 * impossible.
 */
export function findStoredApiKey(pool: Pool): FindApiKey {
  return async (publicId) => {
    const [key] = await findApiKeys(pool, publicId);
    return key === undefined ? null : toStoredApiKey(key);
  };
}

/** Finds the keys of many public ids in one query. */
export function findStoredApiKeys(
  pool: Pool,
): (publicIds: readonly string[]) => Promise<ReadonlyMap<string, StoredApiKey>> {
  return async (publicIds) => {
    const keys = await findApiKeysOf(pool, publicIds);
    return new Map(keys.map((key) => [key.publicId, toStoredApiKey(key)]));
  };
}

function toStoredApiKey(key: ApiKey): StoredApiKey {
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
}
