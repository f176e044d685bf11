import type { CostComparison } from "../../domain/pricing/cost-comparison.js";
import type { DecisionRecordView, ByteRange } from "./decision-record.js";

/** The costs of a priced decision, for analytics, in addition to the decision's record. Amounts are in minor units. */
export interface CostRecord extends CostComparison {
  /** The decision's index in its batch, from 0. The decision's record has the other values that analytics count. */
  decisionAt: number;
}

/** A record as the writer reads it: views into the batch's bytes. Do not use them after the bytes are reused. */
export interface CostRecordView extends CostComparison {
  /** 16 bytes, big-endian. */
  workspaceId: ByteRange;
  decisionId: ByteRange;
  /** Positions in the vocabulary's lists. */
  mode: number;
  decisionMode: number;
  currency: ByteRange;
}

/* Layout, integers big-endian: 0 decision's index u16 · 2 cost f64 · 10 dearest f64 · 18 first f64, -1 for null */
export const COST_RECORD_BYTES = 26;

/** Writes the record at `offset`. Returns the offset after it. */
export function writeCostRecord(record: CostRecord, target: Buffer, offset: number): number {
  target.writeUInt16BE(record.decisionAt, offset);
  target.writeDoubleBE(record.costMinor, offset + 2);
  target.writeDoubleBE(record.dearestMinor, offset + 10);
  target.writeDoubleBE(record.firstMinor ?? -1, offset + 18);
  return offset + COST_RECORD_BYTES;
}

/**
 * Reads a record of a batch whose decisions begin at `firstAt` in `decisions`. Null if the batch has no such decision.
 */
export function readCostRecord(
  source: Buffer,
  offset: number,
  decisions: readonly DecisionRecordView[],
  firstAt: number,
): CostRecordView | null {
  const decision = decisions[firstAt + source.readUInt16BE(offset)];
  if (decision === undefined) return null;
  const { workspaceId, decisionId, mode, decisionMode, currency } = decision;
  const firstMinor = source.readDoubleBE(offset + 18);
  return {
    workspaceId,
    decisionId,
    mode,
    decisionMode,
    currency,
    costMinor: source.readDoubleBE(offset + 2),
    dearestMinor: source.readDoubleBE(offset + 10),
    firstMinor: firstMinor < 0 ? null : firstMinor,
  };
}
