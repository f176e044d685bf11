import { idToHex } from "../../../domain/ids/ids.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { insertAuditEntry, type AuditAuthor } from "../../audit/queries.js";
import {
  insertMerchant,
  MERCHANT_COLUMNS,
  merchantOf,
  type Merchant,
  type MerchantRow,
} from "../../../path/access/catalog-queries.js";
import type { Tenant, TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** By merchant id; at most `merchantsListedMax`. */
export async function listMerchants(db: TenantConnection, workspaceId: string): Promise<Merchant[]> {
  const { rows } = await db.query<MerchantRow>(
    `select ${MERCHANT_COLUMNS} from merchants where workspace_id = $1 order by merchant_id collate "C" limit $2`,
    [idToHex(workspaceId), LIMITS.merchantsListedMax],
  );
  return rows.map(merchantOf);
}

/** Registers a merchant, on the record; null when the workspace has it already. */
export async function registerMerchant(
  tenant: Tenant,
  merchant: { workspaceId: string; merchantId: string; name?: string },
  author: AuditAuthor,
): Promise<Merchant | null> {
  return tenant.transaction(async (client) => {
    if (!(await insertMerchant(client, merchant))) return null;
    const { rows } = await client.query<MerchantRow>(
      `select ${MERCHANT_COLUMNS} from merchants where workspace_id = $1 and merchant_id = $2`,
      [idToHex(merchant.workspaceId), merchant.merchantId],
    );
    const { workspaceId, merchantId: resource } = merchant;
    await insertAuditEntry(client, {
      ...author,
      workspaceId,
      action: "merchant.created",
      resource,
      metadata: {},
    });
    return merchantOf(rows[0] as MerchantRow);
  });
}
