import type { Pool } from "pg";
import {
  createAmountTracker,
  type AmountTracker,
  type AmountTrackerOptions,
} from "../../../src/path/writer/amount-tracker.js";
import { createBatchEncoder, decodeBatch, noRecords } from "../../../src/path/journal/batch-codec.js";
import type { DecisionRecord, DecisionRecordView } from "../../../src/path/journal/decision-record.js";
import { loadChangedAmounts, saveAmounts } from "../../../src/path/writer/amount-queries.js";
import type { Replica } from "../../../src/path/replica/replica.js";
import { decisionRecord } from "./decision-records.js";

/** An amount tracker as a node's writer thread makes it. */
export function trackerOf(
  nodeId: string,
  pool: Pool,
  replica: Replica,
  changes: Partial<AmountTrackerOptions> = {},
): AmountTracker {
  return createAmountTracker({
    nodeId,
    save: (amounts) => saveAmounts(pool, amounts),
    loadChanged: (withinSeconds) => loadChangedAmounts(pool, withinSeconds),
    publish: replica.putCatalog,
    ...changes,
  });
}

/** Decisions with those amounts, as the writer reads them from the journal. */
export function decisionsOf(
  amountsMinor: readonly number[],
  changes: Partial<DecisionRecord> = {},
): DecisionRecordView[] {
  return viewsOf(
    amountsMinor.map((amountMinor, i) => decisionRecord(`order_${i}`, { amountMinor, ...changes })),
  );
}

/** The records as the writer reads them from the journal. */
export function viewsOf(records: readonly DecisionRecord[]): DecisionRecordView[] {
  const read = noRecords();
  if (records.length > 0) decodeBatch(Buffer.from(createBatchEncoder().encode(records)), read);
  return read.decisions;
}
