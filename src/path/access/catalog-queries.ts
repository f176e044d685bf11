import type { ClientBase, Pool } from "pg";
import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import {
  DECISION_MODES,
  MODES,
  ROLES,
  SCOPES,
  WORKSPACE_STATUSES,
  type DecisionMode,
  type Mode,
  type Role,
  type Scope,
  type WorkspaceStatus,
} from "../../domain/vocabulary/vocabulary.js";
import type { AnyConnection } from "../../platform/postgres/tenant-db.js";

/** What a query over all tenants runs on, as the owner of the tables: the pool, or a client inside a transaction. */
export type Queryable = Pool | ClientBase;

export interface Workspace {
  /** `ws_…` */
  workspaceId: string;
  name: string;
  status: WorkspaceStatus;
  /** Null: enforce. */
  defaultDecisionMode: DecisionMode | null;
  /** 0 to 100; null: the RISK_BLOCK_THRESHOLD setting. */
  riskBlockThreshold: number | null;
  createdAt: Date;
}

export interface Merchant {
  workspaceId: string;
  merchantId: string;
  name: string | null;
  createdAt: Date;
}

export interface ApiKey {
  /** `key_…` */
  keyId: string;
  workspaceId: string;
  /** The part of the key by which it is found; no secret. */
  publicId: string;
  name: string;
  mode: Mode;
  scopes: Scope[];
  /** Null: every merchant of the workspace. */
  merchantId: string | null;
  salt: Buffer;
  /** SHA-256, 32 bytes. */
  secretHash: Buffer;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  /** Of the key's workspace, in the same look-up: every request asks for both. */
  workspaceStatus: WorkspaceStatus;
}

/** With the workspace's status, in the same look-up: every request asks for both. */
export const SELECT_API_KEYS = `
  select k.workspace_id, k.key_id, k.public_id, k.name, k.mode, k.scopes, k.merchant_id, k.salt, k.secret_hash,
         k.expires_at, k.revoked_at, k.last_used_at, k.created_at, w.status as workspace_status
  from api_keys k join workspaces w on w.workspace_id = k.workspace_id`;

/**
 * The keys with this public part; normally one or none. The caller compares the hash, and checks expiry and revocation.
 */
export async function findApiKeys(db: Queryable, publicId: string): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKeyRow>({
    name: "find_api_keys",
    text: `${SELECT_API_KEYS} where k.public_id = $1`,
    values: [publicId],
  });
  return rows.map(apiKeyOf);
}

export interface NewWorkspace {
  workspaceId: string;
  name: string;
  defaultDecisionMode?: DecisionMode;
  riskBlockThreshold?: number;
}

export async function insertWorkspace(db: Queryable, workspace: NewWorkspace): Promise<void> {
  const { workspaceId, name, defaultDecisionMode, riskBlockThreshold } = workspace;
  await db.query(
    `insert into workspaces (workspace_id, name, default_decision_mode, risk_block_threshold) values ($1, $2, $3, $4)`,
    [
      idToHex(workspaceId),
      name,
      defaultDecisionMode === undefined ? null : DECISION_MODES.indexOf(defaultDecisionMode),
      riskBlockThreshold ?? null,
    ],
  );
}

/** False when the workspace has that merchant already. */
export async function insertMerchant(
  db: AnyConnection,
  merchant: { workspaceId: string; merchantId: string; name?: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into merchants (workspace_id, merchant_id, name) values ($1, $2, $3) on conflict do nothing`,
    [idToHex(merchant.workspaceId), merchant.merchantId, merchant.name ?? null],
  );
  return rowCount === 1;
}

export async function hasMerchant(
  db: AnyConnection,
  workspaceId: string,
  merchantId: string,
): Promise<boolean> {
  const { rowCount } = await db.query("select from merchants where workspace_id = $1 and merchant_id = $2", [
    idToHex(workspaceId),
    merchantId,
  ]);
  return rowCount === 1;
}

export interface NewUser {
  /** `usr_…` */
  userId: string;
  email: string;
  name?: string;
  /** Argon2id in PHC format. */
  passwordHash: string;
}

/** False when the address (without regard to case) is taken. */
export async function insertUser(db: Queryable, user: NewUser): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into users (user_id, email, name, password_hash) values ($1, $2, $3, $4) on conflict do nothing`,
    [idToHex(user.userId), user.email, user.name ?? null, user.passwordHash],
  );
  return rowCount === 1;
}

export async function insertMembership(
  db: Queryable,
  membership: { workspaceId: string; userId: string; role: Role },
): Promise<void> {
  await db.query(`insert into memberships (workspace_id, user_id, role) values ($1, $2, $3)`, [
    idToHex(membership.workspaceId),
    idToHex(membership.userId),
    ROLES.indexOf(membership.role),
  ]);
}

export type NewApiKey = Omit<ApiKey, "revokedAt" | "lastUsedAt" | "createdAt" | "workspaceStatus">;

export async function insertApiKey(db: AnyConnection, key: NewApiKey): Promise<void> {
  await db.query(
    `insert into api_keys (workspace_id, key_id, public_id, name, mode, scopes, merchant_id, salt, secret_hash, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      idToHex(key.workspaceId),
      idToHex(key.keyId),
      key.publicId,
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

export const WORKSPACE_COLUMNS =
  "workspace_id, name, status, default_decision_mode, risk_block_threshold, created_at";

export interface WorkspaceRow {
  workspace_id: string;
  name: string;
  status: number;
  default_decision_mode: number | null;
  risk_block_threshold: number | null;
  created_at: Date;
}

export function workspaceOf(row: WorkspaceRow): Workspace {
  return {
    workspaceId: idFromHex("ws", row.workspace_id),
    name: row.name,
    status: WORKSPACE_STATUSES[row.status] as WorkspaceStatus,
    defaultDecisionMode:
      row.default_decision_mode === null ? null : (DECISION_MODES[row.default_decision_mode] as DecisionMode),
    riskBlockThreshold: row.risk_block_threshold,
    createdAt: row.created_at,
  };
}

export const MERCHANT_COLUMNS = "workspace_id, merchant_id, name, created_at";

export interface MerchantRow {
  workspace_id: string;
  merchant_id: string;
  name: string | null;
  created_at: Date;
}

export function merchantOf(row: MerchantRow): Merchant {
  return {
    workspaceId: idFromHex("ws", row.workspace_id),
    merchantId: row.merchant_id,
    name: row.name,
    createdAt: row.created_at,
  };
}

export interface ApiKeyRow {
  workspace_id: string;
  key_id: string;
  public_id: string;
  name: string;
  mode: number;
  scopes: number[];
  merchant_id: string | null;
  salt: Buffer;
  secret_hash: Buffer;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
  workspace_status: number;
}

export function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    keyId: idFromHex("key", row.key_id),
    workspaceId: idFromHex("ws", row.workspace_id),
    publicId: row.public_id,
    name: row.name,
    mode: MODES[row.mode] as Mode,
    scopes: row.scopes.map((scope) => SCOPES[scope] as Scope),
    merchantId: row.merchant_id,
    salt: row.salt,
    secretHash: row.secret_hash,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    workspaceStatus: WORKSPACE_STATUSES[row.workspace_status] as WorkspaceStatus,
  };
}
