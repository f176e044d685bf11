import {
  decisionRecordBytesMax,
  readDecisionRecord,
  recordCreatedAtMs,
  writeDecisionRecord,
  type DecisionRecord,
  type DecisionRecordView,
} from "./decision-record.js";

/**
 * One journal entry holds one batch: version u8 · record count u16 · then per record kind u8, length u32, payload.
 * The kind leaves room for outcomes and reviews; the version lets a newer writer drain what an older worker left.
 */
const FORMAT_VERSION = 1;
const HEADER_BYTES = 3;
const RECORD_HEADER_BYTES = 5;
const KIND_DECISION = 1;
const BATCH_RECORDS_MAX = 0xffff;

/** A journal entry this build cannot read; draining must stop rather than skip it. */
export class JournalFormatError extends Error {}

export interface BatchEncoder {
  /** Bytes of one batch; the buffer is the encoder's own and valid until the next call. */
  encode(records: readonly DecisionRecord[]): Buffer;
}

export function createBatchEncoder(): BatchEncoder {
  let scratch = Buffer.allocUnsafeSlow(256 * 1024);
  return {
    encode(records) {
      if (records.length > BATCH_RECORDS_MAX) throw new RangeError("too many records for one journal entry");
      let bytesMax = HEADER_BYTES;
      for (const record of records) bytesMax += RECORD_HEADER_BYTES + decisionRecordBytesMax(record);
      if (bytesMax > scratch.length) scratch = Buffer.allocUnsafeSlow(bytesMax * 2);
      scratch[0] = FORMAT_VERSION;
      scratch.writeUInt16BE(records.length, 1);
      let at = HEADER_BYTES;
      for (const record of records) {
        const end = writeDecisionRecord(record, scratch, at + RECORD_HEADER_BYTES);
        scratch[at] = KIND_DECISION;
        scratch.writeUInt32BE(end - at - RECORD_HEADER_BYTES, at + 1);
        at = end;
      }
      return scratch.subarray(0, at);
    },
  };
}

export function batchRecordCount(batch: Buffer): number {
  return batch.readUInt16BE(1);
}

/** When the batch's first record was created, Unix milliseconds; the batch's first 64 bytes are enough. */
export function firstCreatedAtMs(batch: Buffer): number {
  return recordCreatedAtMs(batch, HEADER_BYTES + RECORD_HEADER_BYTES);
}

/** Appends the batch's records to `into`. Throws JournalFormatError for a version or kind this build does not know. */
export function decodeBatch(batch: Buffer, into: DecisionRecordView[]): void {
  if (batch[0] !== FORMAT_VERSION) throw new JournalFormatError(`journal format ${batch[0]} is not known`);
  const count = batchRecordCount(batch);
  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    if (batch[at] !== KIND_DECISION)
      throw new JournalFormatError(`journal record kind ${batch[at]} is not known`);
    into.push(readDecisionRecord(batch, at + RECORD_HEADER_BYTES));
    at += RECORD_HEADER_BYTES + batch.readUInt32BE(at + 1);
  }
}
