import { idToHex } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import {
  apiKeyOf,
  SELECT_API_KEYS,
  type ApiKey,
  type ApiKeyRow,
  type Queryable,
} from "../../path/access/catalog-queries.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

/** A workspace's keys, newest first; the ones still good before those that were revoked. */
export async function listApiKeys(db: TenantConnection, workspaceId: string): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKeyRow>(
    `${SELECT_API_KEYS} where k.workspace_id = $1
     order by (k.revoked_at is null) desc, k.key_id desc limit ${LIMITS.apiKeysListedMax}`,
    [idToHex(workspaceId)],
  );
  return rows.map(apiKeyOf);
}

export async function findApiKey(
  db: TenantConnection,
  workspaceId: string,
  keyId: string,
): Promise<ApiKey | null> {
  const { rows } = await db.query<ApiKeyRow>(
    `${SELECT_API_KEYS} where k.workspace_id = $1 and k.key_id = $2`,
    [idToHex(workspaceId), idToHex(keyId)],
  );
  return rows[0] === undefined ? null : apiKeyOf(rows[0]);
}

export async function countActiveApiKeys(db: TenantConnection, workspaceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from api_keys where workspace_id = $1 and revoked_at is null",
    [idToHex(workspaceId)],
  );
  return rows[0]?.count ?? 0;
}

/** False when it is revoked already, or unknown. */
export async function revokeApiKey(
  db: TenantConnection,
  workspaceId: string,
  keyId: string,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "update api_keys set revoked_at = $3 where workspace_id = $1 and key_id = $2 and revoked_at is null",
    [idToHex(workspaceId), idToHex(keyId), at],
  );
  return rowCount === 1;
}

/** The keys of these public parts, in any order. */
export async function findApiKeysOf(db: Queryable, publicIds: readonly string[]): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKeyRow>(`${SELECT_API_KEYS} where k.public_id = any($1)`, [publicIds]);
  return rows.map(apiKeyOf);
}

export interface KeyUse {
  workspaceId: string;
  keyId: string;
  usedAtMs: number;
}

/** One statement for all; a key that another node has noted within the last minute is left alone. */
export async function recordKeyUses(db: Queryable, uses: readonly KeyUse[]): Promise<void> {
  await db.query(
    `update api_keys k set last_used_at = u.used_at
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u (workspace_id, key_id, used_at)
     where k.workspace_id = u.workspace_id and k.key_id = u.key_id
       and (k.last_used_at is null or k.last_used_at <= u.used_at - $4 * interval '1 millisecond')`,
    [
      uses.map(({ workspaceId }) => idToHex(workspaceId)),
      uses.map(({ keyId }) => idToHex(keyId)),
      uses.map(({ usedAtMs }) => new Date(usedAtMs)),
      LIMITS.keyUseIntervalMs,
    ],
  );
}

/** The public parts of these workspaces' keys, revoked ones included. */
export async function listPublicIds(db: Queryable, workspaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ public_id: string }>(
    "select public_id from api_keys where workspace_id = any($1::uuid[])",
    [workspaceIds.map(idToHex)],
  );
  return rows.map(({ public_id }) => public_id);
}
