import { idFromHex } from "../../../domain/ids/ids.js";
import { decodeBatch, noRecords } from "../../../path/journal/batch-codec.js";
import { ERASED_PREFIX } from "../../../path/writer/copy/rollup-columns.js";
import { eraseDecisions } from "./merchant-decisions.js";
import { addCounts, removeRows, together, type ErasureWork } from "./step.js";
import { MERCHANT_FIGURES, MERCHANT_TABLES } from "./tables.js";
import { NO_FOLDS } from "./workspace.js";

/**
 * RET-20: removes a merchant's rows, and the workspace's rows that name the merchant, such as saved views and audit
 * entries.
 */
export async function eraseMerchant(work: ErasureWork & { merchantId: string }): Promise<void> {
  const { workspaceId, merchantId } = work;
  const values = [workspaceId, merchantId];
  const remove = (table: string, where: string): Promise<void> =>
    removeRows(work, { table, from: table, where: `workspace_id = $1 and ${where}`, values });
  // API keys are removed first, so that the merchant loses access at once.
  await remove("api_keys", "merchant_id = $2");
  await remove("unmatched_outcomes", "merchant_scope = $2");
  await removeSetAside(work);
  await eraseDecisions(work);
  await renameFigures(work);
  for (const table of MERCHANT_TABLES) await remove(table, "merchant_id = $2");
  await removeFiles(work);
  await remove(
    "event_deliveries",
    "case when strpos(body, $2) > 0 then body::json #>> '{data,merchant_id}' = $2 else false end",
  );
  await remove("saved_views", encodedIn("query"));
  await remove(
    "audit_log",
    "(merchant_id = $2 or resource = $2) and action not in ('erasure.requested', 'erasure.finished')",
  );
  await remove("merchants", "merchant_id = $2");
}

/** True if a query string in `column` has the merchant's id as a parameter. Form encoding writes a colon as `%3A`. */
const encodedIn = (column: string): string =>
  `$2 in (select replace(part, '%3A', ':') from regexp_split_to_table(${column}, '[?&=]') as part)`;

/**
 * Removes all exports of the workspace, because any of them may contain the merchant's rows. They expire after some
 * days anyway, and can be made again.
 */
async function removeFiles(work: ErasureWork): Promise<void> {
  for (const table of ["export_chunks", "exports"]) {
    await removeRows(work, { table, from: table, where: "workspace_id = $1", values: [work.workspaceId] });
  }
}

/**
 * RET-21: the totals of the workspace stay exact. The merchant's figures get an anonymous id. The id is different for
 * each erasure, so the figures of two erased merchants stay separate.
 */
async function renameFigures({ client, erasureId, workspaceId, merchantId }: ErasureWork): Promise<void> {
  const anonymous = ERASED_PREFIX + idFromHex("ers", erasureId);
  const values = [workspaceId, merchantId, anonymous];
  await together(client, async () => {
    await client.query(NO_FOLDS);
    // Deltas that are not folded yet also contain the merchant's id.
    await client.query("select fold_rollups()");
    const counts: Record<string, number> = {};
    for (const table of [...MERCHANT_FIGURES, "facets"]) {
      const { rowCount } = await client.query(
        `update ${table} set merchant_id = $3 where workspace_id = $1 and merchant_id = $2`,
        values,
      );
      counts[table] = rowCount ?? 0;
    }
    for (const column of ["decided", "followed"]) {
      await client.query(
        `update facet_deltas_rows set ${column} =
           regexp_replace(${column}, '(^|;)' || replace($2, '.', '\\.') || ',', '\\1' || $3 || ',', 'g')
         where workspace_id = $1 and strpos(${column}, $2) > 0`,
        values,
      );
    }
    await addCounts(client, erasureId, counts);
  });
}

/** Removes the merchant's records that are set aside. Each record is stored in the journal's form. */
async function removeSetAside(work: ErasureWork): Promise<void> {
  const { client, erasureId, workspaceId, merchantId } = work;
  const { rows } = await client.query<{ set_aside_id: string; kind: string; entry: Buffer }>(
    `select set_aside_id, kind, entry from set_aside
     where workspace_id = $1 and position(convert_to($2, 'UTF8') in entry) > 0`,
    [workspaceId, merchantId],
  );
  // The query finds the id's text anywhere in an entry, so it also finds longer ids that contain this one.
  const own = rows.filter(({ kind, entry }) => isOf(String(merchantId), kind, entry));
  if (own.length === 0) return;
  await together(client, async () => {
    const { rowCount } = await client.query(
      "delete from set_aside where workspace_id = $1 and set_aside_id = any($2::uuid[])",
      [workspaceId, own.map(({ set_aside_id }) => set_aside_id)],
    );
    await addCounts(client, erasureId, { set_aside: rowCount ?? 0 });
  });
}

function isOf(merchantId: string, kind: string, entry: Buffer): boolean {
  if (kind === "kept_outcome") {
    return (JSON.parse(entry.toString()) as { merchant_scope: string | null }).merchant_scope === merchantId;
  }
  const records = noRecords();
  decodeBatch(entry, records);
  return (
    records.decisions.some((decision) => decision.merchantId.toString() === merchantId) ||
    records.outcomes.some(({ merchantScope }) => merchantScope === merchantId)
  );
}
