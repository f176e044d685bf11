import {
  decisionRecordBytesMax,
  readDecisionRecord,
  writeDecisionRecord,
  type DecisionRecord,
  type DecisionRecordView,
  healthGroupBytesMax,
  readHealthGroup,
  writeHealthGroup,
  type HealthGroupRecord,
  type HealthGroupView,
} from "./decision-record.js";
import { idTimeMs, idToHex } from "../../domain/ids/ids.js";
import {
  ATTEMPT_RECORD_BYTES,
  readAttemptRecord,
  writeAttemptRecord,
  type AttemptRecord,
  type AttemptRecordView,
} from "./attempt-record.js";
import {
  COST_RECORD_BYTES,
  readCostRecord,
  writeCostRecord,
  type CostRecord,
  type CostRecordView,
} from "./cost-record.js";
import { readOutcomeRecord, type OutcomeRecord } from "./outcome-record.js";
import { readRetryRecord, type RetryRecord } from "./retry-record.js";

/**
 * One journal entry is one batch: version u8 · record count u16 · time of its first record, Unix milliseconds, u48 ·
 * then for each record: kind u8, length u32, payload. New kinds can be added. A drain stops at an entry of another
 * version and reports it.
 */
const FORMAT_VERSION = 2;
const TIME_AT = 3;
const HEADER_BYTES = 9;
const RECORD_HEADER_BYTES = 5;
const KIND_DECISION = 1;
const KIND_OUTCOME = 2;
const KIND_HEALTH_GROUP = 3;
const KIND_COST = 4;
const KIND_RETRY = 5;
const KIND_ATTEMPT = 6;
const BATCH_RECORDS_MAX = 0xffff;

/** A journal entry that this build cannot read. A drain must stop at the entry and must not skip it. */
export class JournalFormatError extends Error {}

/** The records that accompany a batch's decisions. */
export interface RecordsBeside {
  /** The decisions' health groups, except those that the thread has already journalled. */
  healthGroups?: readonly HealthGroupRecord[];
  costs?: readonly CostRecord[];
  retries?: readonly RetryRecord[];
  attempts?: readonly AttemptRecord[];
}

/** Encodes one batch. The returned buffer belongs to the encoder, and is overwritten by its next call. */
export interface BatchEncoder {
  encode(decisions: readonly DecisionRecord[], beside?: RecordsBeside): Buffer;
  encodeOutcomes(outcomes: readonly OutcomeRecord[]): Buffer;
}

export function createBatchEncoder(): BatchEncoder {
  let scratch = Buffer.allocUnsafeSlow(256 * 1024);

  const begin = (records: number, timeMs: number, payloadBytesMax: number): void => {
    if (records > BATCH_RECORDS_MAX) throw new RangeError("too many records for one journal entry");
    const bytesMax = HEADER_BYTES + records * RECORD_HEADER_BYTES + payloadBytesMax;
    if (bytesMax > scratch.length) scratch = Buffer.allocUnsafeSlow(bytesMax * 2);
    scratch[0] = FORMAT_VERSION;
    scratch.writeUInt16BE(records, 1);
    scratch.writeUIntBE(timeMs, TIME_AT, 6);
  };
  const writeHeader = (kind: number, at: number, end: number): void => {
    scratch[at] = kind;
    scratch.writeUInt32BE(end - at - RECORD_HEADER_BYTES, at + 1);
  };
  const writeText = (kind: number, text: string, at: number): number => {
    const end = at + RECORD_HEADER_BYTES + scratch.write(text, at + RECORD_HEADER_BYTES, "utf8");
    writeHeader(kind, at, end);
    return end;
  };

  return {
    encode(decisions, { healthGroups = [], costs = [], retries = [], attempts = [] } = {}) {
      const retryTexts = retries.map((retry) => JSON.stringify(retry));
      let bytesMax = costs.length * COST_RECORD_BYTES + attempts.length * ATTEMPT_RECORD_BYTES;
      for (const text of retryTexts) bytesMax += 3 * text.length;
      for (const record of decisions) bytesMax += decisionRecordBytesMax(record);
      for (const group of healthGroups) bytesMax += healthGroupBytesMax(group);
      const timeMs = decisions[0] === undefined ? 0 : idTimeMs(decisions[0].decisionId);
      const beside = healthGroups.length + costs.length + retries.length + attempts.length;
      begin(decisions.length + beside, timeMs, bytesMax);
      let at = HEADER_BYTES;
      for (const record of decisions) {
        const end = writeDecisionRecord(record, scratch, at + RECORD_HEADER_BYTES);
        writeHeader(KIND_DECISION, at, end);
        at = end;
      }
      for (const group of healthGroups) {
        const end = writeHealthGroup(group, scratch, at + RECORD_HEADER_BYTES);
        writeHeader(KIND_HEALTH_GROUP, at, end);
        at = end;
      }
      for (const cost of costs) {
        const end = writeCostRecord(cost, scratch, at + RECORD_HEADER_BYTES);
        writeHeader(KIND_COST, at, end);
        at = end;
      }
      for (const text of retryTexts) at = writeText(KIND_RETRY, text, at);
      for (const attempt of attempts) {
        const end = writeAttemptRecord(attempt, scratch, at + RECORD_HEADER_BYTES);
        writeHeader(KIND_ATTEMPT, at, end);
        at = end;
      }
      return scratch.subarray(0, at);
    },
    encodeOutcomes(outcomes) {
      const texts = outcomes.map((outcome) => JSON.stringify(outcome));
      begin(
        texts.length,
        outcomes[0]?.reportedAtMs ?? 0,
        texts.reduce((bytes, text) => bytes + 3 * text.length, 0),
      );
      let at = HEADER_BYTES;
      for (const text of texts) at = writeText(KIND_OUTCOME, text, at);
      return scratch.subarray(0, at);
    },
  };
}

export function batchRecordCount(batch: Buffer): number {
  return batch.readUInt16BE(1);
}

/** The time of the batch's first record in Unix milliseconds. A decision's time is that of its id. */
export function batchTimeMs(batch: Buffer): number {
  return batch.readUIntBE(TIME_AT, 6);
}

/** The batch's age at `nowMs`. It is never negative, even if the clock was set back. */
export function batchAgeMs(batch: Buffer, nowMs: number): number {
  return Math.max(0, nowMs - batchTimeMs(batch));
}

/** The records of batches by kind, each list in the order of the journal. */
export interface BatchRecords {
  decisions: DecisionRecordView[];
  outcomes: OutcomeRecord[];
  healthGroups: HealthGroupView[];
  costs: CostRecordView[];
  retries: RetryRecord[];
  attempts: AttemptRecordView[];
}

export function noRecords(): BatchRecords {
  return { decisions: [], outcomes: [], healthGroups: [], costs: [], retries: [], attempts: [] };
}

/**
 * Appends the batch's records to `into`. Throws JournalFormatError for a version or kind that this build does not know,
 * and for a cost or an attempt without its decision.
 */
export function decodeBatch(batch: Buffer, into: BatchRecords): void {
  if (batch[0] !== FORMAT_VERSION) throw new JournalFormatError(`journal format ${batch[0]} is not known`);
  const count = batchRecordCount(batch);
  const decisionsBefore = into.decisions.length;
  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    const payload = at + RECORD_HEADER_BYTES;
    const end = payload + batch.readUInt32BE(at + 1);
    if (batch[at] === KIND_DECISION) into.decisions.push(readDecisionRecord(batch, payload));
    else if (batch[at] === KIND_OUTCOME) into.outcomes.push(readOutcomeRecord(batch, payload, end));
    else if (batch[at] === KIND_HEALTH_GROUP) into.healthGroups.push(readHealthGroup(batch, payload, end));
    else if (batch[at] === KIND_COST) {
      const cost = readCostRecord(batch, payload, into.decisions, decisionsBefore);
      if (cost === null) throw new JournalFormatError("a cost names no decision of its batch");
      into.costs.push(cost);
    } else if (batch[at] === KIND_RETRY) into.retries.push(readRetryRecord(batch, payload, end));
    else if (batch[at] === KIND_ATTEMPT) {
      const attempt = readAttemptRecord(batch, payload, into.decisions, decisionsBefore);
      if (attempt === null) throw new JournalFormatError("an attempt names no decision of its batch");
      into.attempts.push(attempt);
    } else throw new JournalFormatError(`journal record kind ${batch[at]} is not known`);
    at = end;
  }
}

/** `attempt` is missing, because an attempt follows its decision and so is never the first record of a batch. */
export type RecordKind = "decision" | "outcome" | "health_group" | "cost" | "retry";

const KIND_NAMES: Readonly<Record<number, RecordKind>> = {
  [KIND_DECISION]: "decision",
  [KIND_OUTCOME]: "outcome",
  [KIND_HEALTH_GROUP]: "health_group",
  [KIND_COST]: "cost",
  [KIND_RETRY]: "retry",
};

/** The kind of the batch's first record. */
export function batchKind(batch: Buffer): RecordKind {
  const kind = KIND_NAMES[batch[HEADER_BYTES] as number];
  if (kind === undefined)
    throw new JournalFormatError(`journal record kind ${batch[HEADER_BYTES]} is not known`);
  return kind;
}

/**
 * Splits a batch into parts that can be stored one by one. Each part is a copy. Health groups come first, because
 * decisions name them. Then comes each decision with the records that accompany it, then each outcome. There are at
 * most as many parts as records.
 */
export function splitBatch(batch: Buffer): Buffer[] {
  if (batch[0] !== FORMAT_VERSION) throw new JournalFormatError(`journal format ${batch[0]} is not known`);
  const groups: Buffer[][] = [];
  const decisions: Buffer[][] = [];
  const others: Buffer[][] = [];
  const decisionOf = new Map<string, Buffer[]>();
  let at = HEADER_BYTES;
  for (let left = batchRecordCount(batch); left > 0; left--) {
    const payload = at + RECORD_HEADER_BYTES;
    const end = payload + batch.readUInt32BE(at + 1);
    const kind = batch[at];
    const record = Buffer.from(batch.subarray(at, end));
    if (kind === KIND_HEALTH_GROUP) groups.push([record]);
    else if (kind === KIND_DECISION) {
      decisions.push([record]);
      decisionOf.set(
        readDecisionRecord(batch, payload).decisionId.toString("hex"),
        decisions.at(-1) as Buffer[],
      );
    } else if (kind === KIND_COST || kind === KIND_ATTEMPT) {
      const decision = decisions[record.readUInt16BE(RECORD_HEADER_BYTES)];
      if (decision === undefined) throw new JournalFormatError("a record names no decision of its batch");
      // The decision is the only one of its part, so its index is 0.
      record.writeUInt16BE(0, RECORD_HEADER_BYTES);
      decision.push(record);
    } else if (kind === KIND_RETRY) {
      const { decisionId } = readRetryRecord(batch, payload, end);
      const decision = decisionOf.get(idToHex(decisionId));
      if (decision === undefined) others.push([record]);
      else decision.push(record);
    } else others.push([record]);
    at = end;
  }
  return [...groups, ...decisions, ...others].map((records) => {
    const head = Buffer.from(batch.subarray(0, HEADER_BYTES));
    head.writeUInt16BE(records.length, 1);
    return Buffer.concat([head, ...records]);
  });
}
