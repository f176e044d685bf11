import type { CostComparison } from "../../domain/pricing/cost-comparison.js";
import type { ByteRange } from "../../platform/bytes/byte-range.js";
import type { DecisionRecordView } from "./decision-record.js";

/** What a priced decision leaves behind for the analytics, beside its own record. Amounts in minor units. */
export interface CostRecord extends CostComparison {
  /** Which of the batch's decisions, from 0: what else is counted of it is in its record. */
  decisionAt: number;
}

/** A record as the writer reads it: views into the batch's bytes, valid while they are. */
export interface CostRecordView extends CostComparison {
  /** 16 bytes, big-endian. */
  workspaceId: ByteRange;
  decisionId: ByteRange;
  /** Positions in the vocabulary's lists. */
  mode: number;
  decisionMode: number;
  currency: ByteRange;
}

/* Layout, integers big-endian: 0 decision u16 · 2 cost f64 · 10 dearest f64 · 18 first f64, -1 for none */
export const COST_RECORD_BYTES = 26;

/** Writes the record at `offset`; returns the offset after it. */
export function writeCostRecord(record: CostRecord, target: Buffer, offset: number): number {
  target.writeUInt16BE(record.decisionAt, offset);
  target.writeDoubleBE(record.costMinor, offset + 2);
  target.writeDoubleBE(record.dearestMinor, offset + 10);
  target.writeDoubleBE(record.firstMinor ?? -1, offset + 18);
  return offset + COST_RECORD_BYTES;
}

/** `decisions` holds the batch's own from `firstAt` on; null where it has no such one. */
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
