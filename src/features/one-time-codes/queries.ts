import { idToHex } from "../../domain/ids/ids.js";
import type { Queryable } from "../../platform/postgres/pool.js";

export interface StoredCodes {
  /** The secret, encrypted. */
  sealed: Buffer;
  /** False until the person has confirmed the secret with a code. */
  isOn: boolean;
  /** The newest step whose code was used. */
  lastStep: number;
  recoveryCodesLeft: number;
}

export async function findCodes(db: Queryable, userId: string): Promise<StoredCodes | null> {
  const { rows } = await db.query<{ sealed: Buffer; is_on: boolean; last_step: number; codes_left: number }>(
    `select sealed, confirmed_at is not null as is_on, last_step, cardinality(recovery_hashes) as codes_left
     from one_time_codes where user_id = $1`,
    [idToHex(userId)],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { sealed, is_on: isOn, last_step: lastStep, codes_left: recoveryCodesLeft } = row;
  return { sealed, isOn, lastStep, recoveryCodesLeft };
}

/** Stores a secret, in place of one that was never confirmed. Returns false if codes are on. */
export async function insertSecret(
  db: Queryable,
  { userId, sealed, createdAt }: { userId: string; sealed: Buffer; createdAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into one_time_codes (user_id, sealed, created_at) values ($1, $2, $3)
     on conflict (user_id) do update set sealed = excluded.sealed, created_at = excluded.created_at
       where one_time_codes.confirmed_at is null`,
    [idToHex(userId), sealed, createdAt],
  );
  return rowCount === 1;
}

/** Returns false if the secret was confirmed, replaced or deleted after the code was checked against it. */
export async function confirmSecret(
  db: Queryable,
  codes: { userId: string; sealed: Buffer; step: number; recoveryHashes: readonly Buffer[]; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update one_time_codes set confirmed_at = $3, last_step = $4, recovery_hashes = $5
     where user_id = $1 and sealed = $2 and confirmed_at is null`,
    [idToHex(codes.userId), codes.sealed, codes.at, codes.step, codes.recoveryHashes],
  );
  return rowCount === 1;
}

/** ACC-16: returns false if this step's code or a later one was used before, or if codes are off. */
export async function useStep(db: Queryable, userId: string, step: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update one_time_codes set last_step = $2
     where user_id = $1 and last_step < $2 and confirmed_at is not null`,
    [idToHex(userId), step],
  );
  return rowCount === 1;
}

/** Returns false when the person has no such recovery code left. */
export async function useRecoveryHash(db: Queryable, userId: string, recoveryHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    `update one_time_codes set recovery_hashes = array_remove(recovery_hashes, $2)
     where user_id = $1 and $2 = any(recovery_hashes) and confirmed_at is not null`,
    [idToHex(userId), recoveryHash],
  );
  return rowCount === 1;
}

/** ACC-36: whether a workspace of the person requires one-time codes. */
export async function mustHaveCodes(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from memberships m join workspaces w on w.workspace_id = m.workspace_id
     where m.user_id = $1 and w.require_one_time_codes limit 1`,
    [idToHex(userId)],
  );
  return rowCount === 1;
}

/** Returns false when the person had no codes. */
export async function deleteCodes(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query("delete from one_time_codes where user_id = $1", [idToHex(userId)]);
  return rowCount === 1;
}
