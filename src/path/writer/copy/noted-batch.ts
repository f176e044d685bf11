import { idToHex } from "../../../domain/ids/ids.js";
import type { TransactionStep } from "../../../platform/postgres/copy-transaction.js";
import type { WriteBatch } from "./batch-steps.js";
import { type SegmentName, rowTimeMs } from "./decision-batch.js";
import type { RowId } from "./decision-row.js";

/**
 * CH-2: notes a transaction's records for the log's copy in ClickHouse, in the same transaction. A note is small,
 * because it names document blocks and outcomes. Only numbers, hexadecimal digits and the node's id go into the SQL.
 */
export function noteBatch(
  nodeId: string,
  through: number,
  { decisions, outcomes }: Pick<WriteBatch, "decisions" | "outcomes">,
  segments: readonly SegmentName[],
): TransactionStep {
  let [oldestMs, newestMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { decisionId } of decisions) {
    const timeMs = rowTimeMs(decisionId);
    oldestMs = Math.min(oldestMs, timeMs);
    newestMs = Math.max(newestMs, timeMs);
  }
  const arrays = [
    segments.map(({ workspaceId }) => hexOf(workspaceId)),
    segments.map(({ segmentId }) => hexOf(segmentId)),
    outcomes.map(({ workspaceId }) => hexOf(workspaceId)),
    outcomes.map(({ mode }) => mode),
    outcomes.map(({ decisionId }) => hexOf(decisionId)),
  ].map((values) => `'{${values.join(",")}}'`);
  const span = decisions.length === 0 ? "null, null" : `${oldestMs}, ${newestMs}`;
  return {
    name: "log_copy_batches",
    sql: `insert into log_copy_batches (node_id, through, decisions, oldest_ms, newest_ms, workspaces, segments,
      outcome_workspaces, outcome_modes, outcomes)
      values ('${nodeId}', ${through}, ${decisions.length}, ${span}, ${arrays.join(", ")})`,
  };
}

const hexOf = (id: RowId): string => (typeof id === "string" ? idToHex(id) : id.toString("hex"));
