/**
 * The layouts of stored replies.
 *
 * place: expiry ms (u48) · SHA-256 of the request (32) · batch number (u48) · start (u32) · end (u32)
 * batch: expiry ms (u48) · count (u32) · count × reply key (16) · the replies' UTF-8, without gaps
 */

export const REPLY_KEY_BYTES = 16;
const REQUEST_HASH_BYTES = 32;

const TIME_BYTES = 6;
const COUNT_BYTES = 4;
const REQUEST_HASH_AT = TIME_BYTES;
const BATCH_AT = REQUEST_HASH_AT + REQUEST_HASH_BYTES;
const START_AT = BATCH_AT + TIME_BYTES;
const END_AT = START_AT + COUNT_BYTES;
const PLACE_BYTES = END_AT + COUNT_BYTES;
const KEYS_AT = TIME_BYTES + COUNT_BYTES;

/** Where a reply is stored, and the request hash and expiry that tell whether it answers a request. */
export interface ReplyPlace {
  /** Unix milliseconds. */
  expiresAtMs: number;
  requestHash: Buffer;
  batch: number;
  /** The first byte of the reply in its batch. */
  start: number;
  end: number;
}

export function encodeReplyPlace({ expiresAtMs, requestHash, batch, start, end }: ReplyPlace): Buffer {
  const bytes = Buffer.allocUnsafe(PLACE_BYTES);
  bytes.writeUIntBE(expiresAtMs, 0, TIME_BYTES);
  requestHash.copy(bytes, REQUEST_HASH_AT);
  bytes.writeUIntBE(batch, BATCH_AT, TIME_BYTES);
  bytes.writeUInt32BE(start, START_AT);
  bytes.writeUInt32BE(end, END_AT);
  return bytes;
}

export function readReplyPlace(bytes: Buffer): ReplyPlace {
  return {
    expiresAtMs: bytes.readUIntBE(0, TIME_BYTES),
    requestHash: bytes.subarray(REQUEST_HASH_AT, BATCH_AT),
    batch: bytes.readUIntBE(BATCH_AT, TIME_BYTES),
    start: bytes.readUInt32BE(START_AT),
    end: bytes.readUInt32BE(END_AT),
  };
}

/** Encodes a batch of replies. `ranges` has the start and end of each reply in `batch`. */
export function encodeReplyBatch(
  expiresAtMs: number,
  keys: readonly Buffer[],
  replies: readonly string[],
): { batch: Buffer; ranges: ReadonlyArray<readonly [number, number]> } {
  const headBytes = KEYS_AT + keys.length * REPLY_KEY_BYTES;
  const text = Buffer.from(replies.join(""));
  const batch = Buffer.allocUnsafe(headBytes + text.length);
  batch.writeUIntBE(expiresAtMs, 0, TIME_BYTES);
  batch.writeUInt32BE(keys.length, TIME_BYTES);
  for (const [index, key] of keys.entries()) key.copy(batch, KEYS_AT + index * REPLY_KEY_BYTES);
  text.copy(batch, headBytes);
  let at = headBytes;
  const ranges = replies.map((reply) => {
    const start = at;
    at += Buffer.byteLength(reply);
    return [start, at] as const;
  });
  return { batch, ranges };
}

export function decodeReplyBatchHead(batch: Buffer): { expiresAtMs: number; keys: readonly Buffer[] } {
  const count = batch.readUInt32BE(TIME_BYTES);
  const keys = Array.from({ length: count }, (_, index) => {
    const at = KEYS_AT + index * REPLY_KEY_BYTES;
    return batch.subarray(at, at + REPLY_KEY_BYTES);
  });
  return { expiresAtMs: batch.readUIntBE(0, TIME_BYTES), keys };
}

export function decodeReply(batch: Buffer, { start, end }: ReplyPlace): string {
  return batch.toString("utf8", start, end);
}
