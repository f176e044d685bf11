import type { Pool } from "pg";
import { idToHex } from "../../domain/ids/ids.js";
import type { KnownErasures } from "./decision-writer.js";
import type { WriteBatch } from "./copy/batch-steps.js";
import type { RowId, RowText } from "./copy/decision-row.js";

/** RET-22: the erased owners. A journal may still have records of these owners, which must not be stored. */
interface Erased {
  /** Workspace ids as hexadecimal digits. */
  workspaces: ReadonlySet<string>;
  merchants: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads all erased owners. */
export async function readErased(pool: Pool): Promise<KnownErasures> {
  const { rows } = await pool.query<{ number: string; workspace: string; merchant_id: string | null }>(
    "select number, replace(workspace_id::text, '-', '') as workspace, merchant_id from erasures",
  );
  const merchants = new Map<string, Set<string>>();
  const workspaces = new Set<string>();
  for (const { workspace, merchant_id } of rows) {
    if (merchant_id === null) workspaces.add(workspace);
    else merchants.set(workspace, (merchants.get(workspace) ?? new Set()).add(merchant_id));
  }
  const known = Math.max(0, ...rows.map(({ number }) => Number(number)));
  return { known, without: (batch) => withoutErased(batch, { workspaces, merchants }) };
}

/**
 * Returns the batch without the records of erased owners. An outcome does not name its merchant. So it is removed with
 * its decision, or if its reporter may act for an erased merchant only.
 */
function withoutErased(batch: WriteBatch, { workspaces, merchants }: Erased): WriteBatch {
  const gone = new Set<string>();
  const decisions = batch.decisions.filter(({ workspaceId, merchantId, decisionId }) => {
    const workspace = hexOf(workspaceId);
    const isKept = !workspaces.has(workspace) && !isIn(merchants.get(workspace), merchantId);
    if (!isKept) gone.add(hexOf(decisionId));
    return isKept;
  });
  const isOfKept = ({ workspaceId, decisionId }: { workspaceId: RowId; decisionId: RowId }): boolean =>
    !workspaces.has(hexOf(workspaceId)) && !gone.has(hexOf(decisionId));
  const outcomes = batch.outcomes.filter(
    (outcome) =>
      isOfKept(outcome) &&
      (outcome.merchantScope === null ||
        !isIn(merchants.get(hexOf(outcome.workspaceId)), outcome.merchantScope)),
  );
  if (gone.size === 0 && outcomes.length === batch.outcomes.length) return batch;
  return {
    ...batch,
    decisions,
    outcomes,
    costs: (batch.costs ?? []).filter(isOfKept),
    retries: (batch.retries ?? []).filter(isOfKept),
    attempts: (batch.attempts ?? []).filter(({ decisionId }) => !gone.has(hexOf(decisionId))),
  };
}

const hexOf = (id: RowId): string => (typeof id === "string" ? idToHex(id) : id.toString("hex"));

function isIn(merchants: ReadonlySet<string> | undefined, merchantId: RowText): boolean {
  return merchants?.has(merchantId.toString()) === true;
}
