import { readListPage, type ListedRows, type ListPage } from "../../../platform/postgres/list-page.js";
import { idToHex, idFromHex } from "../../../domain/ids/ids.js";
import { limitReached, type KeptLimits, type LimitReached } from "../../../domain/vocabulary/kept-limits.js";
import { insertAuditEntry, type AuditAuthor } from "../../audit/service.js";

import type { Tenant, TenantConnection, AnyConnection } from "../../../platform/postgres/tenant-db.js";
import { lockWorkspace } from "./workspace.js";
import type { Pool } from "pg";
import { columnsAfter, type RecordKey } from "../../../path/changes/copied-records.js";

/** A page of a workspace's merchants, by id. A cursor is a merchant's id. */
export async function listMerchants(
  db: TenantConnection,
  workspaceId: string,
  page: ListPage,
): Promise<ListedRows<Merchant>> {
  const { rows, hasMore } = await readListPage<MerchantRow>(
    db,
    {
      select: `select ${MERCHANT_COLUMNS} from merchants where workspace_id = $1`,
      values: [idToHex(workspaceId)],
      key: 'merchant_id collate "C"',
      isAscending: true,
      keyOf: (merchantId) => merchantId,
    },
    page,
  );
  return { rows: rows.map(merchantOf), hasMore };
}

/**
 * Registers a merchant, with an audit entry. Returns null if the workspace already has it, and LimitReached if the
 * workspace has reached its limit. Registrations of one workspace are serialised.
 */
export async function registerMerchant(
  tenant: Tenant,
  merchant: { workspaceId: string; merchantId: string; name?: string },
  author: AuditAuthor,
  limits: KeptLimits,
): Promise<Merchant | LimitReached | "erased" | null> {
  return tenant.transaction(async (client) => {
    await lockWorkspace(client, merchant.workspaceId);
    if (await hasMerchant(client, merchant.workspaceId, merchant.merchantId)) return null;
    // ADM-20: a new merchant must not inherit anything that an erased merchant with the same id left behind.
    if (await isErased(client, merchant.workspaceId, merchant.merchantId)) return "erased";
    const full = limitReached(limits, "merchants", await countMerchants(client, merchant.workspaceId));
    if (full !== null) return full;
    await insertMerchant(client, merchant);
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
      metadata: { merchant_id: resource },
    });
    return merchantOf(rows[0] as MerchantRow);
  });
}

async function isErased(db: TenantConnection, workspaceId: string, merchantId: string): Promise<boolean> {
  const { rows } = await db.query<{ erased: boolean }>("select is_erased($1, $2) as erased", [
    idToHex(workspaceId),
    merchantId,
  ]);
  return rows[0]?.erased === true;
}

async function countMerchants(db: TenantConnection, workspaceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from merchants where workspace_id = $1",
    [idToHex(workspaceId)],
  );
  return rows[0]?.count ?? 0;
}

/** Lists the next merchants after the given one, by workspace and merchant id. */
export async function listMerchantKeys(
  pool: Pool,
  after: RecordKey | null,
  limit: number,
): Promise<RecordKey[]> {
  const { rows } = await pool.query<{ workspace_id: string; merchant_id: string }>({
    name: "list_merchant_keys",
    text: `select workspace_id, merchant_id from merchants
           where (workspace_id, merchant_id) > ($1::uuid, $2::text) and erased_at is null order by workspace_id, merchant_id limit $3`,
    values: [...columnsAfter(after), limit],
  });
  return rows.map((row) => ({ workspaceId: idFromHex("ws", row.workspace_id), key: row.merchant_id }));
}

export interface Merchant {
  workspaceId: string;
  merchantId: string;
  name: string | null;
  createdAt: Date;
}

/** Returns false when the workspace already has that merchant. */
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
