import { POLICY_STATUSES } from "../../../domain/vocabulary/vocabulary.js";
import type { Pool } from "pg";
import { idFromHex } from "../../../domain/ids/ids.js";
import { asColumns, type RecordKey } from "../../../path/changes/copied-records.js";
import type { PriceVersion } from "../../../domain/pricing/merchant-pricing.js";

const PUBLISHED = POLICY_STATUSES.indexOf("published");

/** The data that decisions need about a merchant, without the content of its policy and prices. */
export interface MerchantHead {
  workspaceId: string;
  merchantId: string;
  live: LivePolicy | null;
  /** Null if the merchant has not set prices. */
  prices: PriceVersion | null;
}

/** A live policy without its content, which may be a mebibyte. */
export interface LivePolicy {
  policyId: string;
  version: string;
  /** The compressed size of its rules in PostgreSQL. */
  storedBytes: number;
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

/**
 * Loads the merchants that exist, in any order. The `limit 1` makes the server use look-ups, whatever table sizes it
 * expects.
 */
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
             where m.workspace_id = asked.workspace_id and m.merchant_id = asked.merchant_id and m.erased_at is null limit 1) m on true
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
