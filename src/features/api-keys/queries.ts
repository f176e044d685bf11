import { idToHex, idFromHex } from "../../domain/ids/ids.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { CellName } from "../../path/access/cell.js";
import { readListPage, type ListedRows, type ListPage } from "../../platform/postgres/list-page.js";
import type { TenantConnection, AnyConnection } from "../../platform/postgres/tenant-db.js";
import type { Queryable } from "../../platform/postgres/pool.js";
import {
  MODES,
  SCOPES,
  WORKSPACE_STATUSES,
  type Mode,
  type Scope,
  type WorkspaceStatus,
} from "../../domain/vocabulary/vocabulary.js";

/** A page of a workspace's keys, newest first, revoked ones included. */
export async function listApiKeys(
  db: TenantConnection,
  workspaceId: string,
  page: ListPage,
): Promise<ListedRows<ApiKey>> {
  const { rows, hasMore } = await readListPage<ApiKeyRow>(
    db,
    {
      select: `${SELECT_API_KEYS} where k.workspace_id = $1`,
      values: [idToHex(workspaceId)],
      key: "key_id",
    },
    page,
  );
  return { rows: rows.map(apiKeyOf), hasMore };
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

/** A rotated key is not counted, because its successor is. */
export async function countActiveApiKeys(db: TenantConnection, workspaceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from api_keys
     where workspace_id = $1 and revoked_at is null and replaced_by is null`,
    [idToHex(workspaceId)],
  );
  return rows[0]?.count ?? 0;
}

/** Counts the rotated keys that still work. */
export async function countOverlappingApiKeys(
  db: TenantConnection,
  workspaceId: string,
  at: Date,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from api_keys
     where workspace_id = $1 and revoked_at is null and replaced_by is not null and expires_at > $2`,
    [idToHex(workspaceId), at],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Keeps only the newest `max` of the keys that have ended: they were revoked, or they were rotated and have expired. A
 * loop that creates and revokes keys therefore cannot fill the table.
 */
export async function dropOldestEnded(
  db: TenantConnection,
  workspaceId: string,
  at: Date,
  max: number,
): Promise<void> {
  await db.query(
    `delete from api_keys where workspace_id = $1 and key_id in (
       select key_id from api_keys
       where workspace_id = $1 and (revoked_at is not null or (replaced_by is not null and expires_at <= $2))
       order by coalesce(revoked_at, expires_at) desc, key_id desc offset $3)`,
    [idToHex(workspaceId), at, max],
  );
}

/** KEY-10: the key works until `expiresAt`, and `replacedBy` has taken its place. */
export async function replaceApiKey(
  db: TenantConnection,
  workspaceId: string,
  keyId: string,
  { replacedBy, expiresAt }: { replacedBy: string; expiresAt: Date },
): Promise<void> {
  await db.query(
    "update api_keys set replaced_by = $3, expires_at = $4 where workspace_id = $1 and key_id = $2",
    [idToHex(workspaceId), idToHex(keyId), idToHex(replacedBy), expiresAt],
  );
}

/** Returns false when the key is unknown or already revoked. */
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

/** Finds the keys with these public parts, in any order. */
export async function findApiKeysOf(db: Queryable, publicIds: readonly string[]): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKeyRow>(`${SELECT_API_KEYS} where k.public_id = any($1)`, [publicIds]);
  return rows.map(apiKeyOf);
}

export interface KeyUse {
  workspaceId: string;
  keyId: string;
  usedAtMs: number;
}

/** Records all uses in one statement. A use is skipped if one within the minute before it is already recorded. */
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
      TUNING.keyUseIntervalMs,
    ],
  );
}

/** Lists the public parts of these workspaces' keys, revoked ones included. */
export async function listPublicIds(db: Queryable, workspaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ public_id: string }>(
    "select public_id from api_keys where workspace_id = any($1::uuid[])",
    [workspaceIds.map(idToHex)],
  );
  return rows.map(({ public_id }) => public_id);
}

export interface ApiKey {
  /** `key_…` */
  keyId: string;
  workspaceId: string;
  /** The part that identifies the key. It is not secret. */
  publicId: string;
  /** CELL-1: the cell that the key names. */
  cell: CellName;
  name: string;
  mode: Mode;
  scopes: Scope[];
  /** Null: the key is valid for every merchant of the workspace. */
  merchantId: string | null;
  salt: Buffer;
  /** SHA-256, 32 bytes. */
  secretHash: Buffer;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** The key that replaced this one when it was rotated, or null. */
  replacedBy: string | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  /**
   * The status of the key's workspace. The key and the status come with one look-up, because every request needs both.
   */
  workspaceStatus: WorkspaceStatus;
}

/** Selects keys with their workspace's status in one look-up, because every request needs both. */
export const SELECT_API_KEYS = `
  select k.workspace_id, k.key_id, k.public_id, k.cell, k.name, k.mode, k.scopes, k.merchant_id, k.salt, k.secret_hash,
         k.expires_at, k.revoked_at, k.replaced_by, k.last_used_at, k.created_at, w.status as workspace_status
  from api_keys k join workspaces w on w.workspace_id = k.workspace_id`;

/**
 * Returns the keys with this public part, normally one or none. The caller compares the hash and checks expiry and
 * revocation.
 */
export async function findApiKeys(db: Queryable, publicId: string): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKeyRow>({
    name: "find_api_keys",
    text: `${SELECT_API_KEYS} where k.public_id = $1`,
    values: [publicId],
  });
  return rows.map(apiKeyOf);
}

export type NewApiKey = Omit<
  ApiKey,
  "revokedAt" | "replacedBy" | "lastUsedAt" | "createdAt" | "workspaceStatus"
>;

export async function insertApiKey(db: AnyConnection, key: NewApiKey): Promise<void> {
  await db.query(
    `insert into api_keys
       (workspace_id, key_id, public_id, cell, name, mode, scopes, merchant_id, salt, secret_hash, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      idToHex(key.workspaceId),
      idToHex(key.keyId),
      key.publicId,
      key.cell,
      key.name,
      MODES.indexOf(key.mode),
      key.scopes.map((scope) => SCOPES.indexOf(scope)),
      key.merchantId,
      key.salt,
      key.secretHash,
      key.expiresAt,
    ],
  );
}

export interface ApiKeyRow {
  workspace_id: string;
  key_id: string;
  public_id: string;
  cell: string | null;
  name: string;
  mode: number;
  scopes: number[];
  merchant_id: string | null;
  salt: Buffer;
  secret_hash: Buffer;
  expires_at: Date | null;
  revoked_at: Date | null;
  replaced_by: string | null;
  last_used_at: Date | null;
  created_at: Date;
  workspace_status: number;
}

export function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    keyId: idFromHex("key", row.key_id),
    workspaceId: idFromHex("ws", row.workspace_id),
    publicId: row.public_id,
    cell: row.cell,
    name: row.name,
    mode: MODES[row.mode] as Mode,
    scopes: row.scopes.map((scope) => SCOPES[scope] as Scope),
    merchantId: row.merchant_id,
    salt: row.salt,
    secretHash: row.secret_hash,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    replacedBy: row.replaced_by === null ? null : idFromHex("key", row.replaced_by),
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    workspaceStatus: WORKSPACE_STATUSES[row.workspace_status] as WorkspaceStatus,
  };
}
