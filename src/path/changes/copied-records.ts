import type { Pool } from "pg";
import type { Policy } from "../../domain/policy/policy.js";
import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import {
  WORKSPACE_COLUMNS,
  workspaceOf,
  type Workspace,
  type WorkspaceRow,
} from "../access/catalog-queries.js";
import { POLICY_COLUMNS, policyOf, PUBLISHED, type PolicyRow } from "../../features/policies/queries.js";

/** A record that nodes copy, by its workspace and its key in there. */
export interface RecordKey {
  /** `ws_…` */
  workspaceId: string;
  key: string;
}

/** What decisions need to know of a merchant but what its policy and its prices say. */
export interface MerchantHead {
  workspaceId: string;
  merchantId: string;
  live: LivePolicy | null;
  /** Null for a merchant without prices of its own. */
  prices: PriceVersion | null;
}

/** What it says is left where it is: it may be a mebibyte. */
export interface LivePolicy {
  policyId: string;
  version: string;
  /** What its rules take in PostgreSQL, compressed. */
  storedBytes: number;
}

export interface PriceVersion {
  contractVersion: number;
  observedVersion: number;
}

export interface OwnedPolicy {
  workspaceId: string;
  merchantId: string;
  policy: Policy;
}

/** Those that there are, in any order. */
export async function loadWorkspaces(pool: Pool, workspaceIds: readonly string[]): Promise<Workspace[]> {
  const { rows } = await pool.query<WorkspaceRow>({
    name: "load_workspaces",
    text: `select ${WORKSPACE_COLUMNS} from workspaces where workspace_id = any($1::uuid[])`,
    values: [workspaceIds.map(idToHex)],
  });
  return rows.map(workspaceOf);
}

interface MerchantHeadRow {
  workspace_id: string;
  merchant_id: string;
  policy_id: string | null;
  version_number: number;
  stored_bytes: number;
  contract_version: number | null;
  observed_version: number;
}

/** Those that there are, in any order. Limits keep the server to look-ups, whatever it believes of the tables' sizes. */
export async function loadMerchantHeads(
  pool: Pool,
  merchants: readonly RecordKey[],
): Promise<MerchantHead[]> {
  const { rows } = await pool.query<MerchantHeadRow>({
    name: "load_merchant_heads",
    text: `select asked.workspace_id, asked.merchant_id, p.policy_id, p.version_number, p.stored_bytes,
             v.contract_version, v.observed_version
           from unnest($1::uuid[], $2::text[]) as asked (workspace_id, merchant_id)
           join lateral (select from merchants m
             where m.workspace_id = asked.workspace_id and m.merchant_id = asked.merchant_id limit 1) m on true
           left join lateral (select policy_id, version_number, pg_column_size(rules) as stored_bytes from policies p
             where p.workspace_id = asked.workspace_id and p.merchant_id = asked.merchant_id
               and p.status = ${PUBLISHED} limit 1) p on true
           left join lateral (select contract_version, observed_version from merchant_prices v
             where v.workspace_id = asked.workspace_id and v.merchant_id = asked.merchant_id limit 1) v on true`,
    values: asColumns(merchants),
  });
  return rows.map((row) => ({
    workspaceId: idFromHex("ws", row.workspace_id),
    merchantId: row.merchant_id,
    live:
      row.policy_id === null
        ? null
        : {
            policyId: idFromHex("pol", row.policy_id),
            version: `v${row.version_number}`,
            storedBytes: row.stored_bytes,
          },
    prices:
      row.contract_version === null
        ? null
        : { contractVersion: row.contract_version, observedVersion: row.observed_version },
  }));
}

/** These policies, whatever their status is by now: what a policy says never changes. */
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

/** The next workspaces behind one, by id. */
export async function listWorkspaceKeys(
  pool: Pool,
  after: RecordKey | null,
  limit: number,
): Promise<RecordKey[]> {
  const { rows } = await pool.query<{ workspace_id: string }>({
    name: "list_workspace_keys",
    text: `select workspace_id from workspaces where workspace_id > $1::uuid order by workspace_id limit $2`,
    values: [behind(after)[0], limit],
  });
  return rows.map(({ workspace_id }) => ({ workspaceId: idFromHex("ws", workspace_id), key: "" }));
}

/** The next merchants behind one, by workspace and name. */
export async function listMerchantKeys(
  pool: Pool,
  after: RecordKey | null,
  limit: number,
): Promise<RecordKey[]> {
  const { rows } = await pool.query<{ workspace_id: string; merchant_id: string }>({
    name: "list_merchant_keys",
    text: `select workspace_id, merchant_id from merchants
           where (workspace_id, merchant_id) > ($1::uuid, $2::text) order by workspace_id, merchant_id limit $3`,
    values: [...behind(after), limit],
  });
  return rows.map((row) => ({ workspaceId: idFromHex("ws", row.workspace_id), key: row.merchant_id }));
}

/** The nil workspace comes before all others. */
export function behind(after: RecordKey | null): [workspaceId: string, key: string] {
  return after === null
    ? ["00000000-0000-0000-0000-000000000000", ""]
    : [idToHex(after.workspaceId), after.key];
}

export function asColumns(records: readonly RecordKey[]): [workspaceIds: string[], keys: string[]] {
  return [records.map(({ workspaceId }) => idToHex(workspaceId)), records.map(({ key }) => key)];
}
