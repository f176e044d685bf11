import type { DecisionFacts } from "../outcomes/reported-outcome.js";
import { idFromHex, writeIdBytes } from "../shared/ids.js";
import { MODES, OUTCOMES, PAYMENT_METHODS } from "../shared/vocabulary.js";
import type { Mode, Outcome, PaymentMethod } from "../shared/vocabulary.js";
import {
  decisionHead,
  readDecisionHead,
  type DecisionHeadView,
  type DecisionRecordView,
} from "./decision-record.js";
import type { RetryRecord } from "./retry-record.js";

/*
 * What a node goes on knowing of decisions whose entries have left the journal. Layout, integers big-endian:
 *   Unix milliseconds of the earliest decision u48 · of the latest u48
 *   then records: kind u8 · length u16 · workspace id 16 · decision id 16 · the rest of a decision's head, or of a retry
 *   the failed outcome's position u8 and the failed provider, UTF-8
 */
const LATEST_AT = 6;
const HEADER_BYTES = 12;
const RECORD_HEADER_BYTES = 3;
const KIND_DECISION = 1;
const KIND_RETRY = 2;
const ID_AT = 16;
const ID_BYTES = 16;
const OUTCOME_AT = 32;
const PROVIDER_AT = 33;
const BYTES_AT_FIRST = 64 * 1024;

/** Gathers facts, their times still to be set (splitFacts); `bytes` are its own until the next call. */
export interface KnownFacts {
  add(decisions: readonly DecisionRecordView[], retries: readonly RetryRecord[]): void;
  /** Null without any. */
  bytes(): Buffer | null;
  clear(): void;
}

export function createKnownFacts(): KnownFacts {
  let facts = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  let end = HEADER_BYTES;
  /** The decision's id of the retry that comes next. */
  const retriedId = Buffer.alloc(ID_BYTES);

  const makeRoom = (bytes: number): void => {
    if (end + bytes <= facts.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (end + bytes));
    facts.copy(larger, 0, 0, end);
    facts = larger;
  };
  const endRecord = (kind: number, recordEnd: number): void => {
    facts[end] = kind;
    facts.writeUInt16BE(recordEnd - end - RECORD_HEADER_BYTES, end + 1);
    end = recordEnd;
  };

  return {
    add(decisions, retries) {
      // In the order of their decisions, and each behind its own: facts are cut into values before a decision.
      let following = 0;
      const addRetry = ({ workspaceId, decisionId, failedOutcome, failedProvider }: RetryRecord): void => {
        makeRoom(RECORD_HEADER_BYTES + PROVIDER_AT + Buffer.byteLength(failedProvider));
        const payload = end + RECORD_HEADER_BYTES;
        writeIdBytes(workspaceId, facts, payload);
        writeIdBytes(decisionId, facts, payload + ID_AT);
        facts[payload + OUTCOME_AT] = OUTCOMES.indexOf(failedOutcome);
        const provider = payload + PROVIDER_AT;
        endRecord(KIND_RETRY, provider + facts.write(failedProvider, provider, "utf8"));
        following++;
        const next = retries[following];
        if (next !== undefined) writeIdBytes(next.decisionId, retriedId, 0);
      };
      if (retries[0] !== undefined) writeIdBytes(retries[0].decisionId, retriedId, 0);
      for (const decision of decisions) {
        const head = decisionHead(decision);
        makeRoom(RECORD_HEADER_BYTES + head.length);
        const id = end + RECORD_HEADER_BYTES + ID_AT;
        endRecord(KIND_DECISION, head.copyTo(facts, end + RECORD_HEADER_BYTES));
        const retry = retries[following];
        if (retry !== undefined && isAt(facts, id, retriedId)) addRetry(retry);
      }
    },
    bytes: () => (end === HEADER_BYTES ? null : facts.subarray(0, end)),
    clear() {
      end = HEADER_BYTES;
    },
  };
}

/** The same with their times, in values of at most `bytesMax`, oldest first; a decision and its retry stay together. */
export function splitFacts(facts: Buffer, bytesMax: number): Buffer[] {
  const values: Buffer[] = [];
  let begin = HEADER_BYTES;
  let end = HEADER_BYTES;
  for (let at = HEADER_BYTES; at < facts.length;) {
    at = endOf(facts, at);
    if (at < facts.length && facts[at] !== KIND_DECISION) continue;
    if (HEADER_BYTES + at - begin > bytesMax && end > begin) {
      values.push(cutOut(facts, begin, end));
      begin = end;
    }
    end = at;
  }
  return [...values, cutOut(facts, begin, end)];
}

function cutOut(facts: Buffer, begin: number, end: number): Buffer {
  const value = Buffer.concat([facts.subarray(0, HEADER_BYTES), facts.subarray(begin, end)]);
  let earliestMs = Number.POSITIVE_INFINITY;
  let latestMs = 0;
  for (let at = begin; at < end; at = endOf(facts, at)) {
    // A decision's id begins with its millisecond.
    const timeMs = facts.readUIntBE(at + RECORD_HEADER_BYTES + ID_AT, 6);
    earliestMs = Math.min(earliestMs, timeMs);
    latestMs = Math.max(latestMs, timeMs);
  }
  value.writeUIntBE(earliestMs, 0, 6);
  value.writeUIntBE(latestMs, LATEST_AT, 6);
  return value;
}

/** Of the record at `at`. */
const endOf = (facts: Buffer, at: number): number => at + RECORD_HEADER_BYTES + facts.readUInt16BE(at + 1);

/** Both as one. */
export function joinFacts(before: Buffer, more: Buffer): Buffer {
  const joined = Buffer.concat([before, more.subarray(HEADER_BYTES)]);
  joined.writeUIntBE(Math.min(earliestOf(before), earliestOf(more)), 0, 6);
  joined.writeUIntBE(Math.max(latestOf(before), latestOf(more)), LATEST_AT, 6);
  return joined;
}

/** The decision among `facts` whose id is the 16 bytes `id`, made at `timeMs`; or null. */
export function findFacts(facts: Buffer, id: Buffer, timeMs: number): DecisionFacts | null {
  if (timeMs < earliestOf(facts) || timeMs > latestOf(facts)) return null;
  let decision: DecisionHeadView | null = null;
  let retryOf: DecisionFacts["retryOf"] = null;
  for (let at = HEADER_BYTES; at < facts.length;) {
    const payload = at + RECORD_HEADER_BYTES;
    const end = payload + facts.readUInt16BE(at + 1);
    if (isAt(facts, payload + ID_AT, id)) {
      if (facts[at] === KIND_DECISION) decision = readDecisionHead(facts, payload);
      else {
        const outcome = OUTCOMES[facts[payload + OUTCOME_AT] as number] as Outcome;
        retryOf = { provider: facts.toString("utf8", payload + PROVIDER_AT, end), outcome };
      }
    }
    at = end;
  }
  return decision === null ? null : toDecisionFacts(decision, retryOf);
}

export function toDecisionFacts(
  { workspaceId, mode, merchantId, orderId, paymentMethod }: DecisionHeadView,
  retryOf: DecisionFacts["retryOf"],
): DecisionFacts {
  return {
    workspaceId: idFromHex("ws", workspaceId.toString("hex")),
    mode: MODES[mode] as Mode,
    merchantId: merchantId.toString(),
    orderId: orderId.toString(),
    paymentMethod: PAYMENT_METHODS[paymentMethod] as PaymentMethod,
    retryOf,
  };
}

const earliestOf = (facts: Buffer): number => facts.readUIntBE(0, 6);
const latestOf = (facts: Buffer): number => facts.readUIntBE(LATEST_AT, 6);

/** From the end: ids of one time differ there. */
function isAt(facts: Buffer, at: number, id: Buffer): boolean {
  for (let i = id.length - 1; i >= 0; i--) if (facts[at + i] !== id[i]) return false;
  return true;
}
