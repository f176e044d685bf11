import {
  decisionRecordBytesMax,
  readDecisionRecord,
  recordCreatedAtMs,
  writeDecisionRecord,
  type DecisionRecord,
  type DecisionRecordView,
} from "./decision-record.js";
import {
  healthGroupBytesMax,
  readHealthGroup,
  writeHealthGroup,
  type HealthGroupRecord,
  type HealthGroupView,
} from "./health-group-record.js";

/**
 * One journal entry holds one batch: version u8 · record count u16 · then per record kind u8, length u32, payload.
 * The kind leaves room for outcomes and reviews; the version lets a newer writer drain what an older worker left.
 */
const FORMAT_VERSION = 1;
const HEADER_BYTES = 3;
const RECORD_HEADER_BYTES = 5;
const KIND_DECISION = 1;
const KIND_HEALTH_GROUP = 3;
const BATCH_RECORDS_MAX = 0xffff;

/** A journal entry this build cannot read; draining must stop rather than skip it. */
export class JournalFormatError extends Error {}

/** The records of batches, each kind in the order it was journalled. */
export interface DecodedRecords {
  decisions: DecisionRecordView[];
  healthGroups: HealthGroupView[];
}

export interface BatchEncoder {
  /**
   * Bytes of one batch of decisions and the health they saw, as far as that is new; the buffer is the encoder's own and
   * valid until the next call. A batch begins with a decision: its time is the batch's.
   */
  encode(decisions: readonly DecisionRecord[], healthGroups?: readonly HealthGroupRecord[]): Buffer;
}

export function createBatchEncoder(): BatchEncoder {
  let scratch = Buffer.allocUnsafeSlow(256 * 1024);
  return {
    encode(decisions, healthGroups = []) {
      const count = decisions.length + healthGroups.length;
      if (count > BATCH_RECORDS_MAX) throw new RangeError("too many records for one journal entry");
      let bytesMax = HEADER_BYTES + count * RECORD_HEADER_BYTES;
      for (const decision of decisions) bytesMax += decisionRecordBytesMax(decision);
      for (const group of healthGroups) bytesMax += healthGroupBytesMax(group);
      if (bytesMax > scratch.length) scratch = Buffer.allocUnsafeSlow(bytesMax * 2);
      scratch[0] = FORMAT_VERSION;
      scratch.writeUInt16BE(count, 1);
      let at = HEADER_BYTES;
      for (const decision of decisions) {
        const end = writeDecisionRecord(decision, scratch, at + RECORD_HEADER_BYTES);
        at = finishRecord(KIND_DECISION, scratch, at, end);
      }
      for (const group of healthGroups) {
        const end = writeHealthGroup(group, scratch, at + RECORD_HEADER_BYTES);
        at = finishRecord(KIND_HEALTH_GROUP, scratch, at, end);
      }
      return scratch.subarray(0, at);
    },
  };
}

/** Writes the header of a record that is in place; returns the offset after the record. */
function finishRecord(kind: number, target: Buffer, at: number, end: number): number {
  target[at] = kind;
  target.writeUInt32BE(end - at - RECORD_HEADER_BYTES, at + 1);
  return end;
}

export function batchRecordCount(batch: Buffer): number {
  return batch.readUInt16BE(1);
}

/** When the batch's first record was created, Unix milliseconds; the batch's first 64 bytes are enough. */
export function firstCreatedAtMs(batch: Buffer): number {
  return recordCreatedAtMs(batch, HEADER_BYTES + RECORD_HEADER_BYTES);
}

/** Appends the batch's records to `into`. Throws JournalFormatError for a version or kind this build does not know. */
export function decodeBatch(batch: Buffer, into: DecodedRecords): void {
  if (batch[0] !== FORMAT_VERSION) throw new JournalFormatError(`journal format ${batch[0]} is not known`);
  const count = batchRecordCount(batch);
  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    const start = at + RECORD_HEADER_BYTES;
    const end = start + batch.readUInt32BE(at + 1);
    const kind = batch[at] as number;
    switch (kind) {
      case KIND_DECISION:
        into.decisions.push(readDecisionRecord(batch, start));
        break;
      case KIND_HEALTH_GROUP:
        into.healthGroups.push(readHealthGroup(batch, start, end));
        break;
      default:
        throw new JournalFormatError(`journal record kind ${kind} is not known`);
    }
    at = end;
  }
}

export function noRecords(): DecodedRecords {
  return { decisions: [], healthGroups: [] };
}
