import { writeIdBytes } from "../shared/ids.js";
import { ACTIONS, DECISION_MODES, MODES, RISK_BANDS } from "../shared/vocabulary.js";
import type { Action, DecisionMode, Mode, RiskBand } from "../shared/vocabulary.js";

/** What a decision leaves behind: the columns the writer needs by name, and the whole as one JSON document. */
export interface DecisionRecord {
  workspaceId: string;
  decisionId: string;
  mode: Mode;
  decisionMode: DecisionMode;
  action: Action;
  riskBand: RiskBand;
  /** 0..100 */
  riskScore: number;
  amountMinor: number;
  /** Milliseconds with at most 3 decimals. */
  latencyMs: number;
  merchantId: string;
  orderId: string;
  currency: string;
  /** `""` where the decision has none. */
  primaryProvider: string;
  fallbackProvider: string;
  /** JSON `{request, response, evaluations, provider_health_source, seen}`, in parts that are written end to end. */
  doc: readonly string[];
}

/** A record as the writer reads it: ids, strings and document are views into the batch's bytes, valid while it is. */
export interface DecisionRecordView {
  /** 16 bytes, big-endian. */
  workspaceId: Buffer;
  decisionId: Buffer;
  createdAtMs: number;
  /** Positions in the vocabulary's lists. */
  mode: number;
  decisionMode: number;
  action: number;
  riskBand: number;
  riskScore: number;
  amountMinor: number;
  latencyMs: number;
  merchantId: Buffer;
  orderId: Buffer;
  currency: Buffer;
  /** Empty where the decision has none. */
  primaryProvider: Buffer;
  fallbackProvider: Buffer;
  doc: Buffer;
}

/*
 * Layout, integers big-endian:
 *   0 workspace id 16 · 16 decision id 16 · 32 mode · 33 decision mode · 34 action · 35 risk band · 36 risk score
 *   37 amount f64 · 45 latency in µs u32 · 49 then five strings (u16 length, UTF-8) · document (u32 length, UTF-8)
 */
const FIXED_BYTES = 49;
/** Five strings of at most 128 characters and their lengths, at 3 bytes a UTF-16 unit. */
const STRINGS_BYTES_MAX = 5 * (2 + 128 * 3);

/** An upper bound of the bytes `writeDecisionRecord` needs. */
export function decisionRecordBytesMax(record: DecisionRecord): number {
  let units = 0;
  for (const part of record.doc) units += part.length;
  return FIXED_BYTES + STRINGS_BYTES_MAX + 4 + units * 3;
}

/** Writes the record at `offset`; returns the offset after it. */
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
  let at = offset + FIXED_BYTES;
  at = writeString(record.merchantId, target, at);
  at = writeString(record.orderId, target, at);
  at = writeString(record.currency, target, at);
  at = writeString(record.primaryProvider, target, at);
  at = writeString(record.fallbackProvider, target, at);
  let end = at + 4;
  for (const part of record.doc) end += target.write(part, end, "utf8");
  target.writeUInt32BE(end - at - 4, at);
  return end;
}

function writeString(text: string, target: Buffer, offset: number): number {
  const bytes = target.write(text, offset + 2, "utf8");
  target.writeUInt16BE(bytes, offset);
  return offset + 2 + bytes;
}

export function readDecisionRecord(source: Buffer, offset: number): DecisionRecordView {
  const merchantAt = offset + FIXED_BYTES;
  const merchantId = readString(source, merchantAt);
  const orderAt = merchantAt + 2 + merchantId.length;
  const orderId = readString(source, orderAt);
  const currencyAt = orderAt + 2 + orderId.length;
  const currency = readString(source, currencyAt);
  const primaryAt = currencyAt + 2 + currency.length;
  const primaryProvider = readString(source, primaryAt);
  const fallbackAt = primaryAt + 2 + primaryProvider.length;
  const fallbackProvider = readString(source, fallbackAt);
  const docAt = fallbackAt + 2 + fallbackProvider.length;
  return {
    workspaceId: source.subarray(offset, offset + 16),
    decisionId: source.subarray(offset + 16, offset + 32),
    createdAtMs: source.readUIntBE(offset + 16, 6),
    mode: source.readUInt8(offset + 32),
    decisionMode: source.readUInt8(offset + 33),
    action: source.readUInt8(offset + 34),
    riskBand: source.readUInt8(offset + 35),
    riskScore: source.readUInt8(offset + 36),
    amountMinor: source.readDoubleBE(offset + 37),
    latencyMs: source.readUInt32BE(offset + 45) / 1000,
    merchantId,
    orderId,
    currency,
    primaryProvider,
    fallbackProvider,
    doc: source.subarray(docAt + 4, docAt + 4 + source.readUInt32BE(docAt)),
  };
}

function readString(source: Buffer, offset: number): Buffer {
  return source.subarray(offset + 2, offset + 2 + source.readUInt16BE(offset));
}
