import { ByteRange } from "../../../src/path/journal/decision-record.js";
import { createIdGenerator, idToHex, type IdGenerator } from "../../../src/domain/ids/ids.js";
import {
  ACTIONS,
  DECISION_MODES,
  MODES,
  PAYMENT_METHODS,
  RISK_BANDS,
} from "../../../src/domain/vocabulary/vocabulary.js";
import type { DecisionRow } from "../../../src/path/writer/copy/decision-row.js";
import type { WriteBatch } from "../../../src/path/writer/copy/batch-steps.js";

let state = 1;
const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
/** One generator for each moment, because a generator never goes back in time. */
const generators = new Map<number, IdGenerator>();

/** 2026-11-20, which is in the middle of a month. */
export const NOW_MS = Date.UTC(2026, 10, 20);

export function newId<P extends string>(prefix: P, nowMs = NOW_MS): `${P}_${string}` {
  const generator = generators.get(nowMs) ?? createIdGenerator(random);
  generators.set(nowMs, generator);
  return `${prefix}_${generator.next(nowMs)}`;
}

/** A row of strings, which tests can read. The journal's rows are bytes. */
export interface TextRow extends DecisionRow {
  workspaceId: string;
  decisionId: string;
  merchantId: string;
  orderId: string;
  doc: Uint8Array;
}

/** A decision whose document names its own id. */
export function decisionRow(changes: Partial<TextRow> = {}, nowMs = NOW_MS): TextRow {
  const decisionId = newId("dec", nowMs);
  return {
    workspaceId: "ws_01jd3vwz6c9k2m4n6p8r0s2t4v",
    decisionId,
    mode: MODES.indexOf("live"),
    decisionMode: DECISION_MODES.indexOf("enforce"),
    action: ACTIONS.indexOf("route"),
    paymentMethod: PAYMENT_METHODS.indexOf("card"),
    country: "US",
    cardNetwork: null,
    riskBand: RISK_BANDS.indexOf("low"),
    merchantId: "merchant",
    orderId: `order of ${decisionId}`,
    primaryProvider: "provider_1",
    fallbackProvider: "provider_2",
    currency: "USD",
    amountMinor: 1250,
    latencyMs: 0.25,
    doc: Buffer.from(JSON.stringify({ decision_id: decisionId })),
    ...changes,
  };
}

export function decisionRows(count: number, changes: Partial<TextRow> = {}): TextRow[] {
  return Array.from({ length: count }, () => decisionRow(changes));
}

/** A writer's batch of decisions, without outcomes. */
export function decisionsOnly(decisions: readonly DecisionRow[]): WriteBatch {
  return { decisions, outcomes: [] };
}

/** The row as the journal's reader returns it. Every text but the country is bytes, and a missing provider is empty. */
export function asJournalled(row: TextRow): DecisionRow {
  const bytes = (text: DecisionRow["orderId"] | null): ByteRange =>
    text instanceof ByteRange ? text : ByteRange.of(Buffer.from(text ?? ""));
  const id = (text: string): ByteRange => ByteRange.of(Buffer.from(idToHex(text), "hex"));
  return {
    ...row,
    workspaceId: id(row.workspaceId),
    decisionId: id(row.decisionId),
    merchantId: bytes(row.merchantId),
    orderId: bytes(row.orderId),
    currency: bytes(row.currency),
    primaryProvider: bytes(row.primaryProvider),
    fallbackProvider: bytes(row.fallbackProvider),
    doc: ByteRange.of(Buffer.from(row.doc)),
  };
}
