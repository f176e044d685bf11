import { idToHex } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";
import { ENFORCE_COLUMNS, SHADOW_COLUMNS } from "../../path/writer/copy/rollup-columns.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

/** The decisions of one merchant in one mode and month. Shadow decisions are advice and are not billed. */
export interface MonthlyUsage {
  /** The month's number: months since the year 0, UTC. */
  month: number;
  mode: Mode;
  merchantId: string;
  enforced: number;
  shadow: number;
}

const added = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(${column}, 0)`).join(" + ");

const LOAD_USAGE = {
  name: "load_usage",
  text: `select month, mode, merchant_id, sum(enforced)::bigint as enforced, sum(shadow)::bigint as shadow from (
           select month, mode, merchant_id, enforced, shadow from rollup_months
           where workspace_id = $1 and merchant_id <> '' and month between $2 and $3
           union all
           select hour_month(hour), mode, merchant_id, ${added(ENFORCE_COLUMNS)}, ${added(SHADOW_COLUMNS)}
           from rollup_deltas where workspace_id = $1 and hour_month(hour) between $2 and $3
         ) parts
         group by month, mode, merchant_id having sum(enforced) + sum(shadow) > 0
         order by month, mode, merchant_id collate "C"
         limit $4`,
};

/**
 * Counts a workspace's usage in the months `from` to `to`, both inclusive. One statement reads the folded months and
 * the deltas, so no decision is missed or counted twice. Returns "too_many" beyond `usageRowsMax`.
 */
export async function loadUsage(
  db: TenantConnection,
  workspaceId: string,
  { from, to }: { from: number; to: number },
): Promise<MonthlyUsage[] | "too_many"> {
  const { rows } = await db.query<UsageRow>({
    ...LOAD_USAGE,
    values: [idToHex(workspaceId), from, to, LIMITS.usageRowsMax + 1],
  });
  if (rows.length > LIMITS.usageRowsMax) return "too_many";
  return rows.map((row) => ({
    month: row.month,
    mode: MODES[row.mode] as Mode,
    merchantId: row.merchant_id,
    enforced: Number(row.enforced),
    shadow: Number(row.shadow),
  }));
}

interface UsageRow {
  month: number;
  mode: number;
  merchant_id: string;
  enforced: string;
  shadow: string;
}
