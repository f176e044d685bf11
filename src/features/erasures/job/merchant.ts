import { idFromHex } from "../../../domain/ids/ids.js";
import { decodeBatch, noRecords } from "../../../path/journal/batch-codec.js";
import { eraseDecisions } from "./merchant-decisions.js";
import { addCounts, removeRows, together, type ErasureWork } from "./step.js";
import { MERCHANT_FIGURES, MERCHANT_TABLES } from "./tables.js";
import { NO_FOLDS } from "./workspace.js";

/** RET-20: removes what is of one merchant. What its workspace has of it besides its id leaves too. */
export async function eraseMerchant(work: ErasureWork & { merchantId: string }): Promise<void> {
  const { workspaceId, merchantId } = work;
  const values = [workspaceId, merchantId];
  const remove = (table: string, where: string): Promise<void> =>
    removeRows(work, { table, from: table, where: `workspace_id = $1 and ${where}`, values });
  // The keys go first: they open the API.
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

/** A filter of a page's address that is the merchant, as a form writes it. */
const encodedIn = (column: string): string =>
  `$2 in (select replace(part, '%3A', ':') from regexp_split_to_table(${column}, '[?&=]') as part)`;

/** A workspace's files may have rows of any of its merchants. They are kept for days, and can be made again. */
async function removeFiles(work: ErasureWork): Promise<void> {
  for (const table of ["export_chunks", "exports"]) {
    await removeRows(work, { table, from: table, where: "workspace_id = $1", values: [work.workspaceId] });
  }
}

/**
 * RET-21: figures of all time stay exact. The merchant's share keeps an id that says only that something was erased. It
 * is this erasure's own, so that two erased merchants are not taken for one.
 */
async function renameFigures({ client, erasureId, workspaceId, merchantId }: ErasureWork): Promise<void> {
  const anonymous = `erased:${idFromHex("ers", erasureId)}`;
  const values = [workspaceId, merchantId, anonymous];
  await together(client, async () => {
    await client.query(NO_FOLDS);
    // What is not folded yet names the merchant as well.
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

/** A record that was set aside is still as the journal had it. */
async function removeSetAside(work: ErasureWork): Promise<void> {
  const { client, erasureId, workspaceId, merchantId } = work;
  const { rows } = await client.query<{ set_aside_id: string; kind: string; entry: Buffer }>(
    `select set_aside_id, kind, entry from set_aside
     where workspace_id = $1 and position(convert_to($2, 'UTF8') in entry) > 0`,
    [workspaceId, merchantId],
  );
  // An id may be a part of another merchant's, or of an order's.
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
