import type { Policy } from "../../domain/policy/policy.js";
import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import type { LimitReached } from "../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { type AuditAuthor, insertAuditEntry } from "../audit/service.js";
import { makePolicyRoom, type PolicyRoom } from "./policy-room.js";
import {
  ARCHIVED,
  DRAFT,
  listedOf,
  POLICY_COLUMNS,
  policyOf,
  PUBLISHED,
  VERSION_COLUMNS,
  VERSION_COLUMNS_BUT_RULES,
  versionOf,
  type ListedPolicy,
  type ListedVersionRow,
  type PolicyRow,
  type PolicyVersion,
  type VersionRow,
} from "./policy-rows.js";
import type { Tenant, TenantConnection } from "../../platform/postgres/tenant-db.js";
import type { Pool } from "pg";
import type { OwnedPolicy } from "../../path/changes/copied-records.js";

/** A policy in normal form. It has no version, status and time yet, because these are set when it is stored. */
export type NewPolicy = Pick<Policy, "policy_id" | "name" | "default_provider" | "rules"> & {
  comment?: string | null;
};

/** Returns true if the caller expects this id as the merchant's live policy. The id is null if no policy is live. */
export type MatchesLive = (livePolicyId: string | null) => boolean;

/**
 * Stores a policy as the merchant's next version: as a draft, or with `publish` as the live policy. The same
 * transaction then archives its predecessor. `author` adds an audit entry. Nothing is stored in three cases. Null: the
 * merchant is unknown. `live_changed`: `matchesLive` refuses the live policy that the transaction finds. LimitReached:
 * the merchant has as many policies as it may. Without `room` there is no limit.
 */
export function insertPolicy(
  tenant: Tenant,
  workspaceId: string,
  merchantId: string,
  policy: NewPolicy,
  publish: boolean,
): Promise<PolicyVersion | null>;
export function insertPolicy(
  tenant: Tenant,
  workspaceId: string,
  merchantId: string,
  policy: NewPolicy,
  publish: boolean,
  author: AuditAuthor,
  matchesLive: MatchesLive | null,
): Promise<PolicyVersion | null | "live_changed">;
export function insertPolicy(
  tenant: Tenant,
  workspaceId: string,
  merchantId: string,
  policy: NewPolicy,
  publish: boolean,
  author: AuditAuthor,
  matchesLive: MatchesLive | null,
  room: PolicyRoom,
): Promise<PolicyVersion | null | "live_changed" | LimitReached>;
export function insertPolicy(
  tenant: Tenant,
  workspaceId: string,
  merchantId: string,
  policy: NewPolicy,
  publish: boolean,
  author?: AuditAuthor,
  matchesLive: MatchesLive | null = null,
  room: PolicyRoom | null = null,
): Promise<PolicyVersion | null | "live_changed" | LimitReached> {
  const actor = author?.actor ?? null;
  return tenant.transaction(async (client) => {
    if (!(await lockMerchant(client, workspaceId, merchantId))) return null;
    if (matchesLive !== null && !matchesLive(await livePolicyId(client, workspaceId, merchantId)))
      return "live_changed";
    const full = room && (await makePolicyRoom(client, workspaceId, merchantId, room));
    if (full !== null) return full;
    const archived = publish ? await archiveLive(client, workspaceId, merchantId, actor) : null;
    const { rows } = await client.query<VersionRow>(
      `insert into policies (workspace_id, policy_id, merchant_id, version_number, name, status, default_provider, rules,
                             author, comment, published_at, published_by)
       values ($1, $2, $3,
               (select coalesce(max(version_number), 0) + 1 from policies where workspace_id = $1 and merchant_id = $3),
               $4, $5, $6, $7, $8, $9, case when $10::boolean then now() end, case when $10 then $8::text end)
       returning ${VERSION_COLUMNS}`,
      [
        idToHex(workspaceId),
        idToHex(policy.policy_id),
        merchantId,
        policy.name,
        publish ? PUBLISHED : DRAFT,
        policy.default_provider,
        JSON.stringify(policy.rules),
        actor,
        policy.comment ?? null,
        publish,
      ],
    );
    const stored = versionOf(rows[0] as VersionRow);
    if (author !== undefined) {
      await insertAuditEntry(client, {
        ...author,
        workspaceId,
        action: publish ? "policy.published" : "policy.created",
        resource: policy.policy_id,
        metadata: { merchant_id: merchantId, version: stored.version, archived_version: archived },
      });
    }
    return stored;
  });
}

/**
 * Makes a policy the live one of its merchant: a draft, or for a rollback an archived version. The previous live policy
 * is archived in the same transaction. Publishing the live policy changes nothing. Returns null if the workspace has no
 * such policy. Returns `live_changed` in the same case as `insertPolicy`.
 */
export function publishPolicy(
  tenant: Tenant,
  workspaceId: string,
  policyId: string,
): Promise<PolicyVersion | null>;
export function publishPolicy(
  tenant: Tenant,
  workspaceId: string,
  policyId: string,
  author: AuditAuthor,
  matchesLive: MatchesLive | null,
): Promise<PolicyVersion | null | "live_changed">;
export function publishPolicy(
  tenant: Tenant,
  workspaceId: string,
  policyId: string,
  author?: AuditAuthor,
  matchesLive: MatchesLive | null = null,
): Promise<PolicyVersion | null | "live_changed"> {
  const key = [idToHex(workspaceId), idToHex(policyId)];
  const actor = author?.actor ?? null;
  return tenant.transaction(async (client) => {
    const found = await client.query<{ merchant_id: string }>(
      `select merchant_id from policies where workspace_id = $1 and policy_id = $2`,
      key,
    );
    const merchantId = found.rows[0]?.merchant_id;
    if (merchantId === undefined) return null;
    await lockMerchant(client, workspaceId, merchantId);
    if (matchesLive !== null && !matchesLive(await livePolicyId(client, workspaceId, merchantId)))
      return "live_changed";
    // Another publish may have run before this one got the lock, so the policy is read again.
    const before = await client.query<VersionRow>(
      `select ${VERSION_COLUMNS} from policies where workspace_id = $1 and policy_id = $2`,
      key,
    );
    const known = before.rows[0] as VersionRow;
    if (known.status === PUBLISHED) return versionOf(known);
    const archived = await archiveLive(client, workspaceId, merchantId, actor);
    const { rows } = await client.query<VersionRow>(
      `update policies set status = ${PUBLISHED}, updated_at = now(), published_at = now(), published_by = $3,
              archived_at = null, archived_by = null
       where workspace_id = $1 and policy_id = $2
       returning ${VERSION_COLUMNS}`,
      [...key, actor],
    );
    const published = versionOf(rows[0] as VersionRow);
    if (author !== undefined) {
      await insertAuditEntry(client, {
        ...author,
        workspaceId,
        action: known.status === ARCHIVED ? "policy.rolled_back" : "policy.published",
        resource: policyId,
        metadata: { merchant_id: merchantId, version: published.version, archived_version: archived },
      });
    }
    return published;
  });
}

/** Finds a policy of the workspace with its merchant, or returns null. */
export async function findPolicy(
  db: TenantConnection,
  workspaceId: string,
  policyId: string,
): Promise<{ merchantId: string; policy: Policy } | null> {
  const { rows } = await db.query<PolicyRow>(
    `select ${POLICY_COLUMNS} from policies where workspace_id = $1 and policy_id = $2`,
    [idToHex(workspaceId), idToHex(policyId)],
  );
  const row = rows[0];
  return row === undefined ? null : { merchantId: row.merchant_id, policy: policyOf(row) };
}

/**
 * Lists a merchant's policies, newest version first. Returns null if the workspace has no such merchant. A long list
 * ends with the last version that fits LIMITS.policiesListed…. It always includes the live version, which may be old.
 */
export async function listPolicies(
  db: TenantConnection,
  workspaceId: string,
  merchantId: string,
): Promise<ListedPolicy[] | null> {
  const { rows } = await db.query<ListedVersionRow | { policy_id: null }>(
    `select p.* from merchants m left join lateral (
       select ${VERSION_COLUMNS_BUT_RULES}, rules::text as rules_json
       from (select *, sum(octet_length(rules::text)) over (order by version_number desc) as listed_bytes
             from policies
             where workspace_id = m.workspace_id and merchant_id = m.merchant_id
               and (status = ${PUBLISHED} or version_number >
                 (select max(version_number) - ${LIMITS.policiesListedMax} from policies
                  where workspace_id = m.workspace_id and merchant_id = m.merchant_id))) newest
       where status = ${PUBLISHED} or listed_bytes <= ${LIMITS.policiesListedBytesMax}
     ) p on true
     where m.workspace_id = $1 and m.merchant_id = $2
     order by p.version_number desc`,
    [idToHex(workspaceId), merchantId],
  );
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.policy_id === null ? [] : [listedOf(row)]));
}

/** Locks the merchant, so that its publishes and new versions are serialised. */
async function lockMerchant(
  client: TenantConnection,
  workspaceId: string,
  merchantId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from merchants where workspace_id = $1 and merchant_id = $2 for no key update`,
    [idToHex(workspaceId), merchantId],
  );
  return rowCount === 1;
}

/** Returns the live policy's id, or null. Under `lockMerchant` it stays the same until the transaction ends. */
async function livePolicyId(
  client: TenantConnection,
  workspaceId: string,
  merchantId: string,
): Promise<string | null> {
  const { rows } = await client.query<{ policy_id: string }>(
    `select policy_id from policies where workspace_id = $1 and merchant_id = $2 and status = ${PUBLISHED}`,
    [idToHex(workspaceId), merchantId],
  );
  return rows[0] === undefined ? null : idFromHex("pol", rows[0].policy_id);
}

/** Archives the live version in the name of `actor`. Returns the version, or null if none was live. */
async function archiveLive(
  client: TenantConnection,
  workspaceId: string,
  merchantId: string,
  actor: string | null,
): Promise<string | null> {
  const { rows } = await client.query<{ version_number: number }>(
    `update policies set status = ${ARCHIVED}, updated_at = now(), archived_at = now(), archived_by = $3
     where workspace_id = $1 and merchant_id = $2 and status = ${PUBLISHED}
     returning version_number`,
    [idToHex(workspaceId), merchantId, actor],
  );
  return rows[0] === undefined ? null : `v${rows[0].version_number}`;
}

/** Loads these policies, whatever their current status. The content of a policy never changes. */
export async function loadPolicies(
  pool: Pool,
  policies: readonly { workspaceId: string; policyId: string }[],
): Promise<OwnedPolicy[]> {
  const { rows } = await pool.query<PolicyRow>({
    name: "load_policies",
    text: `select ${POLICY_COLUMNS} from policies
           where (workspace_id, policy_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    values: [
      policies.map(({ workspaceId }) => idToHex(workspaceId)),
      policies.map(({ policyId }) => idToHex(policyId)),
    ],
  });
  return rows.map((row) => ({
    workspaceId: idFromHex("ws", row.workspace_id),
    merchantId: row.merchant_id,
    policy: policyOf(row),
  }));
}
