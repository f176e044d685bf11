import type { ApiKeysOptions } from "./service.js";
import {
  countOverlappingApiKeys,
  dropOldestEnded,
  findApiKey,
  replaceApiKey,
  type ApiKey,
} from "./queries.js";
import { issueApiKey } from "./issue-api-key.js";
import { insertAuditEntry } from "../audit/service.js";
import { lockWorkspace } from "../workspaces/service.js";
import { isId } from "../../domain/ids/ids.js";
import { limitReached, type LimitReached } from "../../domain/vocabulary/kept-limits.js";
import type { Principal } from "../../path/access/session.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

const HOUR_MS = 3_600_000;

interface Rotation {
  kind: "rotated";
  key: ApiKey;
  /** Stored nowhere else. */
  secret: string;
  replaced: ApiKey;
}

/**
 * KEY-10: creates a key with the rights of `keyId`. The old key works for another `overlapHours`. Each node ends it by
 * its own clock, so nobody has to revoke it. Returns null for an id that is unknown, malformed or another workspace's.
 * `over` means that the key is revoked, expired or rotated already.
 */
export type RotateApiKey = (
  by: Principal,
  keyId: string,
  overlapHours: number,
) => Promise<Rotation | LimitReached | { kind: "over" } | null | "unavailable">;

export function createKeyRotation({
  tenants,
  attempt,
  kept,
  cell,
  nextId,
  now,
  forget,
}: ApiKeysOptions): RotateApiKey {
  const rotate = async (
    client: TenantConnection,
    { workspaceId, userId }: Principal,
    keyId: string,
    overlapHours: number,
  ): Promise<Rotation | LimitReached | { kind: "over" } | null> => {
    // The lock orders concurrent rotations of a key, so only the first one finds the key in use.
    await lockWorkspace(client, workspaceId);
    const old = await findApiKey(client, workspaceId, keyId);
    if (old === null) return null;
    const at = new Date(now());
    const endsMs = old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (old.revokedAt !== null || old.replacedBy !== null || endsMs <= at.getTime()) return { kind: "over" };
    const full = limitReached(kept, "apiKeys", await countOverlappingApiKeys(client, workspaceId, at));
    if (full !== null) return full;
    if (kept.apiKeys > 0) await dropOldestEnded(client, workspaceId, at, kept.apiKeys);
    const newKeyId = `key_${nextId()}`;
    const { name, mode, scopes, merchantId, expiresAt } = old;
    const rights = { name, mode, scopes, merchantId, expiresAt };
    const { secret } = await issueApiKey(client, { ...rights, keyId: newKeyId, workspaceId }, cell);
    await replaceApiKey(client, workspaceId, keyId, {
      replacedBy: newKeyId,
      expiresAt: new Date(Math.min(endsMs, at.getTime() + overlapHours * HOUR_MS)),
    });
    await insertAuditEntry(client, {
      auditId: `aud_${nextId()}`,
      actor: userId,
      workspaceId,
      action: "api_key.rotated",
      resource: keyId,
      metadata: { replaced_by: newKeyId, overlap_hours: overlapHours, merchant_id: merchantId },
    });
    const key = await findApiKey(client, workspaceId, newKeyId);
    const replaced = await findApiKey(client, workspaceId, keyId);
    if (key === null || replaced === null) throw new Error("the rotated key is not stored");
    return { kind: "rotated", key, secret, replaced };
  };

  return async (by, keyId, overlapHours) => {
    if (!isId(keyId, "key")) return null;
    const result = await attempt(() =>
      tenants.of(by.workspaceId).transaction((client) => rotate(client, by, keyId, overlapHours)),
    );
    // KEY-9: without an overlap the old key stops at once, so this node forgets it before the answer.
    if (overlapHours === 0 && result !== null && result !== "unavailable" && result.kind === "rotated")
      forget(result.replaced.publicId);
    return result;
  };
}
