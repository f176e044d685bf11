import { apiKeyPrefix } from "../../path/access/api-key.js";
import type { ApiKey } from "./queries.js";
import type { ApiKeyBody } from "./wire/api-key-response-schema.js";

export function apiKeyBody(key: ApiKey): ApiKeyBody {
  return {
    id: key.keyId,
    name: key.name,
    mode: key.mode,
    prefix: apiKeyPrefix(key.mode, key.cell, key.publicId),
    scopes: key.scopes,
    merchant_id: key.merchantId,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
