import { writeIdBytes } from "../../domain/ids/ids.js";
import {
  ACTIONS,
  CARD_NETWORKS,
  DECISION_MODES,
  MODES,
  PAYMENT_METHODS,
  RISK_BANDS,
  type Action,
  type CardNetwork,
  type DecisionMode,
  type Mode,
  type PaymentMethod,
  type RiskBand,
} from "../../domain/vocabulary/vocabulary.js";

/**
 * A part of a buffer. `subarray` would do the same, but takes ten times as long. A row of the journal has eight parts.
 */
export class ByteRange {
  constructor(
    readonly source: Buffer,
    readonly start: number,
    readonly end: number,
  ) {}

  /** A range over the whole buffer. */
  static of(source: Buffer): ByteRange {
    return new ByteRange(source, 0, source.length);
  }

  get length(): number {
    return this.end - this.start;
  }

  /** Copies the bytes to `target` at `at`; returns the offset after them. */
  copyTo(target: Uint8Array, at: number): number {
    const { source, start, end } = this;
    // For short ranges, a loop costs less than the call into the runtime.
    if (end - start > SHORT_BYTES_MAX) return at + source.copy(target, at, start, end);
    let to = at;
    for (let from = start; from < end; from++) target[to++] = source[from] as number;
    return to;
  }

  equals(other: ByteRange): boolean {
    if (this.length !== other.length) return false;
    const shift = other.start - this.start;
    for (let at = this.start; at < this.end; at++) {
      if (this.source[at] !== other.source[at + shift]) return false;
    }
    return true;
  }

  /** The bytes as UTF-8 text, or in another encoding. */
  toString(encoding: "utf8" | "latin1" | "hex" = "utf8"): string {
    return this.source.toString(encoding, this.start, this.end);
  }
}

const SHORT_BYTES_MAX = 40;

/** The record of a decision: the columns that the writer needs by name, and the whole decision as a JSON document. */
export interface DecisionRecord {
  workspaceId: string;
  decisionId: string;
  mode: Mode;
  decisionMode: DecisionMode;
  action: Action;
  paymentMethod: PaymentMethod;
  /** ISO 3166-1 alpha-2. */
  country: string;
  cardNetwork: CardNetwork | null;
  riskBand: RiskBand;
  /** 0..100 */
  riskScore: number;
  amountMinor: number;
  /** Milliseconds with at most 3 decimals. */
  latencyMs: number;
  merchantId: string;
  orderId: string;
  currency: string;
  /** `""` if the decision has none. */
  primaryProvider: string;
  fallbackProvider: string;
  /** The document of path/document/decision-document.ts, in parts that are written without gaps. */
  doc: readonly string[];
}

/**
 * A record as the writer reads it: each field is a view into the batch's bytes. Do not use it after the bytes are
 * reused.
 */
export interface DecisionRecordView {
  /** 16 bytes, big-endian. */
  workspaceId: ByteRange;
  decisionId: ByteRange;
  createdAtMs: number;
  /** Positions in the vocabulary's lists. */
  mode: number;
  decisionMode: number;
  action: number;
  paymentMethod: number;
  country: ByteRange;
  /** Null if the request names no card network. */
  cardNetwork: number | null;
  riskBand: number;
  riskScore: number;
  amountMinor: number;
  latencyMs: number;
  merchantId: ByteRange;
  orderId: ByteRange;
  currency: ByteRange;
  /** Empty if the decision has none. */
  primaryProvider: ByteRange;
  fallbackProvider: ByteRange;
  doc: ByteRange;
}

/*
 * Layout, integers big-endian:
 *   0 workspace id 16 · 16 decision id 16 · 32 mode · 33 decision mode · 34 action · 35 risk band · 36 risk score
 *   37 amount f64 · 45 latency in µs u32 · 49 payment method · 50 card network (0 is none) · 51 country 2
 *   53 then five strings (u16 length, UTF-8) · document (u32 length, UTF-8)
 */
const FIXED_BYTES = 53;
/** Five strings of at most 128 UTF-16 units, each unit with up to 3 bytes, and their lengths. */
const STRINGS_BYTES_MAX = 5 * (2 + 128 * 3);

/** An upper bound of the bytes that `writeDecisionRecord` writes. */
export function decisionRecordBytesMax(record: DecisionRecord): number {
  let units = 0;
  for (const part of record.doc) units += part.length;
  return FIXED_BYTES + STRINGS_BYTES_MAX + 4 + units * 3;
}

/** Writes the record at `offset`. Returns the offset after it. */
export function writeDecisionRecord(record: DecisionRecord, target: Buffer, offset: number): number {
  writeIdBytes(record.workspaceId, target, offset);
  writeIdBytes(record.decisionId, target, offset + 16);
  target[offset + 32] = MODES.indexOf(record.mode);
  target[offset + 33] = DECISION_MODES.indexOf(record.decisionMode);
  target[offset + 34] = ACTIONS.indexOf(record.action);
  target[offset + 35] = RISK_BANDS.indexOf(record.riskBand);
  target[offset + 36] = record.riskScore;
  target.writeDoubleBE(record.amountMinor, offset + 37);
  target.writeUInt32BE(Math.min(0xffffffff, Math.round(record.latencyMs * 1000)), offset + 45);
  target[offset + 49] = PAYMENT_METHODS.indexOf(record.paymentMethod);
  target[offset + 50] = record.cardNetwork === null ? 0 : CARD_NETWORKS.indexOf(record.cardNetwork) + 1;
  target[offset + 51] = record.country.charCodeAt(0);
  target[offset + 52] = record.country.charCodeAt(1);
  let at = offset + FIXED_BYTES;
  at = writeString(record.merchantId, target, at);
  at = writeString(record.orderId, target, at);
  at = writeString(record.currency, target, at);
  at = writeString(record.primaryProvider, target, at);
  at = writeString(record.fallbackProvider, target, at);
  let end = at + 4;
  for (const part of record.doc) end += writeUtf8(part, target, end);
  target.writeUInt32BE(end - at - 4, at);
  return end;
}

function writeString(text: string, target: Buffer, offset: number): number {
  const bytes = writeUtf8(text, target, offset + 2);
  target.writeUInt16BE(bytes, offset);
  return offset + 2 + bytes;
}

/** Up to this length, a loop over the characters is faster than the platform's encoder, which takes at least 60 ns. */
const SHORT_CHARS_MAX = 32;
const ASCII_MAX = 0x7f;

/** Writes `text` as UTF-8. Returns the number of bytes. */
function writeUtf8(text: string, target: Buffer, offset: number): number {
  // The length is read only one time. V8 sees so many kinds of strings here that reading the length takes as long as
  // writing two characters.
  const { length } = text;
  if (length > SHORT_CHARS_MAX) return target.write(text, offset, "utf8");
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > ASCII_MAX) return target.write(text, offset, "utf8");
    target[offset + at] = unit;
  }
  return length;
}

export function readDecisionRecord(source: Buffer, offset: number): DecisionRecordView {
  const merchantId = readString(source, offset + FIXED_BYTES);
  const orderId = readString(source, merchantId.end);
  const currency = readString(source, orderId.end);
  const primaryProvider = readString(source, currency.end);
  const fallbackProvider = readString(source, primaryProvider.end);
  const docAt = fallbackProvider.end + 4;
  const network = source[offset + 50] as number;
  return {
    workspaceId: new ByteRange(source, offset, offset + 16),
    decisionId: new ByteRange(source, offset + 16, offset + 32),
    createdAtMs: source.readUIntBE(offset + 16, 6),
    mode: source[offset + 32] as number,
    decisionMode: source[offset + 33] as number,
    action: source[offset + 34] as number,
    riskBand: source[offset + 35] as number,
    riskScore: source[offset + 36] as number,
    amountMinor: source.readDoubleBE(offset + 37),
    latencyMs: source.readUInt32BE(offset + 45) / 1000,
    paymentMethod: source[offset + 49] as number,
    cardNetwork: network === 0 ? null : network - 1,
    country: new ByteRange(source, offset + 51, offset + FIXED_BYTES),
    merchantId,
    orderId,
    currency,
    primaryProvider,
    fallbackProvider,
    doc: new ByteRange(source, docAt, docAt + source.readUInt32BE(docAt - 4)),
  };
}

function readString(source: Buffer, offset: number): ByteRange {
  return new ByteRange(source, offset + 2, offset + 2 + source.readUInt16BE(offset));
}

/** A group of health snapshots that decisions of the same or later batches used. */
export interface HealthGroupRecord {
  /** The first 16 bytes of the SHA-256 of `content`. */
  readonly hash: Buffer;
  /** The JSON that `writeHealth` of path/document/decision-document.ts returned. */
  readonly content: string;
}

/** A record as the writer reads it: views into the batch's bytes. Do not use them after the bytes are reused. */
export interface HealthGroupView {
  hash: ByteRange;
  /** UTF-8. */
  content: ByteRange;
}

/** Layout: hash 16 · content to the end of the record. */
const HASH_BYTES = 16;

/** An upper bound of the bytes that `writeHealthGroup` writes. */
export function healthGroupBytesMax({ content }: HealthGroupRecord): number {
  return HASH_BYTES + 3 * content.length;
}

/** Writes the record at `offset`. Returns the offset after it. */
export function writeHealthGroup(
  { hash, content }: HealthGroupRecord,
  target: Buffer,
  offset: number,
): number {
  hash.copy(target, offset, 0, HASH_BYTES);
  return offset + HASH_BYTES + target.write(content, offset + HASH_BYTES, "utf8");
}

export function readHealthGroup(source: Buffer, offset: number, end: number): HealthGroupView {
  return {
    hash: new ByteRange(source, offset, offset + HASH_BYTES),
    content: new ByteRange(source, offset + HASH_BYTES, end),
  };
}
