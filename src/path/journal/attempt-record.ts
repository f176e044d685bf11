import { ATTEMPT_KEY_BYTES } from "../attempts/attempt-store.js";
import { type DecisionRecordView, ByteRange } from "./decision-record.js";

/**
 * A decision that counts as an attempt for a key (path/attempts). The batch has this record in addition to the
 * decision's.
 */
export interface AttemptRecord {
  /** The decision's index in its batch, from 0. */
  decisionAt: number;
  key: Buffer;
}

/** A record as the writer reads it: views into the batch's bytes. Do not use them after the bytes are reused. */
export interface AttemptRecordView {
  key: ByteRange;
  /** 16 bytes. */
  decisionId: ByteRange;
}

/* Layout: 0 decision's index u16, big-endian · 2 key */
const KEY_AT = 2;
export const ATTEMPT_RECORD_BYTES = KEY_AT + ATTEMPT_KEY_BYTES;

/** Writes the record at `offset`. Returns the offset after it. */
export function writeAttemptRecord(
  { decisionAt, key }: AttemptRecord,
  target: Buffer,
  offset: number,
): number {
  target.writeUInt16BE(decisionAt, offset);
  key.copy(target, offset + KEY_AT);
  return offset + ATTEMPT_RECORD_BYTES;
}

/**
 * Reads a record of a batch whose decisions begin at `firstAt` in `decisions`. Null if the batch has no such decision.
 */
export function readAttemptRecord(
  source: Buffer,
  offset: number,
  decisions: readonly DecisionRecordView[],
  firstAt: number,
): AttemptRecordView | null {
  const decision = decisions[firstAt + source.readUInt16BE(offset)];
  if (decision === undefined) return null;
  const key = new ByteRange(source, offset + KEY_AT, offset + ATTEMPT_RECORD_BYTES);
  return { key, decisionId: decision.decisionId };
}
