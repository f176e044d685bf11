import { insertApiKey } from "./queries.js";
import type { Mode, Scope } from "../../domain/vocabulary/vocabulary.js";
import { generateApiKey } from "../../path/access/api-key.js";
import type { CellName } from "../../path/access/cell.js";
import type { AnyConnection } from "../../platform/postgres/tenant-db.js";

export interface ApiKeyRequest {
  keyId: string;
  workspaceId: string;
  name: string;
  mode: Mode;
  scopes: Scope[];
  /** Null: the key is valid for every merchant of the workspace. */
  merchantId: string | null;
  expiresAt: Date | null;
}

/**
 * Creates and stores a key. The returned secret is stored nowhere else. The call rejects when the workspace or merchant
 * is unknown.
 */
export async function issueApiKey(
  db: AnyConnection,
  request: ApiKeyRequest,
  cell: CellName = null,
): Promise<{ secret: string; prefix: string }> {
  const { secret, prefix, publicId, salt, hash } = generateApiKey(request.mode, cell);
  await insertApiKey(db, { ...request, publicId, cell, salt, secretHash: hash });
  return { secret, prefix };
}
