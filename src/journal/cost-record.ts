import type { CostComparison } from "../pricing/cost-comparison.js";
import { ByteRange } from "../shared/byte-range.js";
import { writeIdBytes } from "../shared/ids.js";
import { DECISION_MODES, MODES, type DecisionMode, type Mode } from "../shared/vocabulary.js";

/** What a priced decision leaves behind for the analytics, beside its own record. Amounts in minor units. */
export interface CostRecord extends CostComparison {
  workspaceId: string;
  decisionId: string;
  mode: Mode;
  decisionMode: DecisionMode;
  /** ISO 4217. */
  currency: string;
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

/*
 * Layout, integers big-endian:
 *   0 workspace id 16 · 16 decision id 16 · 32 mode · 33 decision mode · 34 cost f64 · 42 dearest f64
 *   50 first f64, -1 for none · 58 currency, three letters
 */
export const COST_RECORD_BYTES = 61;
const CURRENCY_AT = 58;

/** Writes the record at `offset`; returns the offset after it. */
export function writeCostRecord(record: CostRecord, target: Buffer, offset: number): number {
  writeIdBytes(record.workspaceId, target, offset);
  writeIdBytes(record.decisionId, target, offset + 16);
  target[offset + 32] = MODES.indexOf(record.mode);
  target[offset + 33] = DECISION_MODES.indexOf(record.decisionMode);
  target.writeDoubleBE(record.costMinor, offset + 34);
  target.writeDoubleBE(record.dearestMinor, offset + 42);
  target.writeDoubleBE(record.firstMinor ?? -1, offset + 50);
  target.write(record.currency, offset + CURRENCY_AT, "latin1");
  return offset + COST_RECORD_BYTES;
}

export function readCostRecord(source: Buffer, offset: number): CostRecordView {
  const firstMinor = source.readDoubleBE(offset + 50);
  return {
    workspaceId: new ByteRange(source, offset, offset + 16),
    decisionId: new ByteRange(source, offset + 16, offset + 32),
    mode: source[offset + 32] as number,
    decisionMode: source[offset + 33] as number,
    costMinor: source.readDoubleBE(offset + 34),
    dearestMinor: source.readDoubleBE(offset + 42),
    firstMinor: firstMinor < 0 ? null : firstMinor,
    currency: new ByteRange(source, offset + CURRENCY_AT, offset + COST_RECORD_BYTES),
  };
}
