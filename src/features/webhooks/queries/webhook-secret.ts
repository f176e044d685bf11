import { readListPage, type ListedRows, type ListPage } from "../../../platform/postgres/list-page.js";
import type { Pool } from "pg";
import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import { limitReached, type KeptLimits, type LimitReached } from "../../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { type AuditAuthor, insertAuditEntry } from "../../audit/service.js";
import { asColumns, columnsAfter, type RecordKey } from "../../../path/changes/copied-records.js";
import type { Tenant, TenantConnection } from "../../../platform/postgres/tenant-db.js";

export interface SecretToStore {
  workspaceId: string;
  merchantId: string;
  provider: string;
  /** The 26 characters of a new id. */
  secretId: string;
  sealed: Buffer;
}

export type RotationResult = "stored" | "unknown_merchant" | LimitReached;

/**
 * Makes a secret the current one of its merchant and provider. The secret that it replaces stays valid for another 24
 * hours (HOOK-12). Secrets of other workspaces never cause a refusal (HOOK-16).
 */
export async function rotateWebhookSecret(
  tenant: Tenant,
  secret: SecretToStore,
  author: AuditAuthor,
  nowMs: number,
  limits: KeptLimits,
): Promise<RotationResult> {
  const { workspaceId, merchantId, provider } = secret;
  const owner = [idToHex(workspaceId), merchantId];
  const now = new Date(nowMs);
  return tenant.transaction(async (client) => {
    // The lock serialises the workspace's requests, so that its secrets are counted correctly.
    await client.query("select from workspaces where workspace_id = $1 for no key update", [owner[0]]);
    // The lock serialises the rotations of one merchant.
    const merchant = await client.query(
      `select from merchants where workspace_id = $1 and merchant_id = $2 for no key update`,
      owner,
    );
    if (merchant.rowCount !== 1) return "unknown_merchant";
    await client.query(
      `delete from webhook_secrets
       where workspace_id = $1 and merchant_id = $2 and provider = $3 and expires_at <= $4`,
      [...owner, provider, now],
    );
    const replaced = await client.query(
      `update webhook_secrets set expires_at = $4
       where workspace_id = $1 and merchant_id = $2 and provider = $3 and expires_at is null`,
      [...owner, provider, new Date(nowMs + LIMITS.webhookSecretGraceMs)],
    );
    if (replaced.rowCount === 0) {
      const full = limitReached(limits, "webhookSecrets", await countSecrets(client, workspaceId));
      if (full !== null) return full;
    }
    // Only the newest replaced secrets stay valid, even after many rotations.
    await client.query(
      `delete from webhook_secrets where (workspace_id, merchant_id, provider, secret_id) in (
         select workspace_id, merchant_id, provider, secret_id from webhook_secrets
         where workspace_id = $1 and merchant_id = $2 and provider = $3
         order by secret_id desc offset $4)`,
      [...owner, provider, LIMITS.webhookOldSecretsMax],
    );
    await client.query(
      `insert into webhook_secrets (workspace_id, merchant_id, provider, secret_id, sealed, created_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [...owner, provider, idToHex(secret.secretId), secret.sealed, now],
    );
    await insertAuditEntry(client, {
      ...author,
      workspaceId,
      action: (replaced.rowCount ?? 0) > 0 ? "webhook_secret.rotated" : "webhook_secret.set",
      resource: `${provider}/${merchantId}`,
      metadata: { merchant_id: merchantId, provider },
    });
    return "stored";
  });
}

/** Counts the current secrets. Replaced ones last a day and are few per route. */
async function countSecrets(db: TenantConnection, workspaceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from webhook_secrets where workspace_id = $1 and expires_at is null",
    [idToHex(workspaceId)],
  );
  return rows[0]?.count ?? 0;
}

export interface Integration {
  merchantId: string;
  provider: string;
  /** Null when there is no secret. */
  rotatedAt: Date | null;
  lastEventAt: Date | null;
}

/** A page of a workspace's merchants by id, each with every provider. A cursor is a merchant's id. */
export async function listIntegrations(
  db: TenantConnection,
  workspaceId: string,
  providers: readonly string[],
  { merchantId, ...page }: ListPage & { merchantId: string | null },
): Promise<ListedRows<Integration>> {
  const merchants = await readListPage<{ merchant_id: string }>(
    db,
    {
      select:
        "select merchant_id from merchants where workspace_id = $1 and ($2::text is null or merchant_id = $2)",
      values: [idToHex(workspaceId), merchantId],
      key: 'merchant_id collate "C"',
      isAscending: true,
      keyOf: (cursor) => cursor,
    },
    page,
  );
  const { rows } = await db.query<{
    merchant_id: string;
    provider: string;
    rotated_at: Date | null;
    last_event_at: Date | null;
  }>(
    `select m.merchant_id, p.provider, s.created_at as rotated_at, e.received_at as last_event_at
     from unnest($3::text[]) with ordinality m (merchant_id, position)
     cross join unnest($2::text[]) with ordinality p (provider, position)
     left join webhook_secrets s
       on s.workspace_id = $1 and s.merchant_id = m.merchant_id and s.provider = p.provider and s.expires_at is null
     left join lateral (
       select received_at from webhook_events e
       where e.workspace_id = $1 and e.merchant_id = m.merchant_id and e.provider = p.provider
       order by received_at desc limit 1) e on s.secret_id is not null
     order by m.position, p.position`,
    [idToHex(workspaceId), providers, merchants.rows.map(({ merchant_id }) => merchant_id)],
  );
  const integrations = rows.map((row) => ({
    merchantId: row.merchant_id,
    provider: row.provider,
    rotatedAt: row.rotated_at,
    lastEventAt: row.last_event_at,
  }));
  return { rows: integrations, hasMore: merchants.hasMore };
}

/** A secret as nodes copy it. The workspace's status is copied separately. */
export interface CopiedSecret {
  /** Base64. */
  sealed: string;
  /** Unix milliseconds, or null for the current secret. */
  expiresAtMs: number | null;
}

/** Returns `<provider>/<merchant_id>`. A slash is in neither part, so the text is unambiguous. */
export function secretKeyOf(provider: string, merchantId: string): string {
  return `${provider}/${merchantId}`;
}

/** Loads the secrets of these merchants and providers, oldest first, keyed by workspace and `secretKeyOf`. */
export async function loadWebhookSecrets(
  pool: Pool,
  records: readonly RecordKey[],
): Promise<(RecordKey & { secrets: CopiedSecret[] })[]> {
  const { rows } = await pool.query<{
    workspace_id: string;
    merchant_id: string;
    provider: string;
    secrets: CopiedSecret[];
  }>({
    name: "load_webhook_secrets",
    text: `select workspace_id, merchant_id, provider,
             json_agg(json_build_object('sealed', encode(sealed, 'base64'),
               'expiresAtMs', floor(extract(epoch from expires_at) * 1000)::bigint) order by secret_id) as secrets
           from webhook_secrets
           where (workspace_id, merchant_id, provider) in (
             select workspace_id, substr(key, strpos(key, '/') + 1), split_part(key, '/', 1)
             from unnest($1::uuid[], $2::text[]) as asked (workspace_id, key))
           group by workspace_id, merchant_id, provider`,
    values: asColumns(records),
  });
  return rows.map(({ workspace_id, merchant_id, provider, secrets }) => ({
    workspaceId: idFromHex("ws", workspace_id),
    key: secretKeyOf(provider, merchant_id),
    secrets,
  }));
}

/** Lists the next merchants and providers with secrets after the given one, by workspace, merchant and provider. */
export async function listWebhookSecretKeys(
  pool: Pool,
  after: RecordKey | null,
  limit: number,
): Promise<RecordKey[]> {
  const [workspaceId, key] = columnsAfter(after);
  const at = key.indexOf("/");
  const { rows } = await pool.query<{ workspace_id: string; merchant_id: string; provider: string }>({
    name: "list_webhook_secret_keys",
    text: `select distinct workspace_id, merchant_id, provider from webhook_secrets
           where (workspace_id, merchant_id, provider) > ($1::uuid, $2::text, $3::text)
           order by workspace_id, merchant_id, provider limit $4`,
    values: [workspaceId, key.slice(at + 1), key.slice(0, Math.max(0, at)), limit],
  });
  return rows.map((row) => ({
    workspaceId: idFromHex("ws", row.workspace_id),
    key: secretKeyOf(row.provider, row.merchant_id),
  }));
}
