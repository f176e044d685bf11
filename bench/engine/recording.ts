import { seenBy } from "../../src/domain/decision/seen.js";
import { writeSeen, createHealthRecorder } from "../../src/path/document/decision-document.js";
import type { WriteBatch } from "../../src/path/writer/copy/batch-steps.js";
import { SEGMENT_ROWS_MAX, SegmentEncoder } from "../../src/path/writer/copy/decision-batch.js";
import { CURRENCIES, pick } from "./engine-policy.js";
import { createEngineContext } from "../history/engine-context.js";
import { createRandom } from "../client/random.js";
import { PAYMENT_METHODS } from "../../src/domain/vocabulary/vocabulary.js";
import { DEFAULT_PROVIDERS } from "../client/traffic.js";

/** The cost of recording the inputs of a decision. */
export interface RecordingFigures {
  /** Median microseconds for each decision: to find the health it saw, and to write the other inputs. */
  recordUs: number;
  /** Median microseconds for each decision if documents recorded no health, as in earlier versions. */
  beforeUs: number;
  /** Microseconds to record a group of snapshots that is new. */
  groupUs: number;
  groupBytes: number;
  /** Bytes of a decision in its compressed document block. `rowBytesBefore` is for documents of earlier versions. */
  rowBytes: number;
  rowBytesBefore: number;
}

const CALLS = 200_000;
const REPETITIONS = 11;
/** The recorded inputs at a document's end. Earlier versions recorded two settings there. */
const BEFORE = /,"seen":\{.*\}\}$/;

export function measureRecording(batch: WriteBatch): RecordingFigures {
  const context = createEngineContext(DEFAULT_PROVIDERS, createRandom(3));
  const recorder = createHealthRecorder(DEFAULT_PROVIDERS);
  const transactions = Array.from({ length: 64 }, (_, index) => ({
    amount: 100 + index,
    country: "US",
    // The strings are as JSON.parse leaves them: different objects in each request.
    currency: JSON.parse(JSON.stringify(pick(CURRENCIES, index))) as string,
    payment_method: pick(PAYMENT_METHODS, index >> 3),
  }));
  const recordUs = medianUs(CALLS, (call) => {
    const transaction = transactions[call & 63] as (typeof transactions)[number];
    const { name } = recorder.of(context.health, transaction.payment_method, transaction.currency);
    return writeSeen(seenBy(context, transaction, [], DEFAULT_PROVIDERS, name)).length;
  });
  const beforeUs = medianUs(
    CALLS,
    (call) =>
      `{"risk_block_threshold":${context.riskBlockThreshold + (call & 1)},"normal_amount_max_minor":${context.normalAmountMaxMinor}}`
        .length,
  );
  let groupBytes = 0;
  const views = Array.from(
    { length: 256 },
    (_, seed) => createEngineContext(DEFAULT_PROVIDERS, createRandom(seed)).health,
  );
  const groupUs = medianUs(views.length, (call) => {
    const fresh = createHealthRecorder(DEFAULT_PROVIDERS);
    groupBytes = fresh.of(views[call] as (typeof views)[number], "card", "USD").content.length;
    return groupBytes;
  });
  const docs = batch.decisions.map(({ doc }) => Buffer.from(doc.toString("utf8")));
  const before = docs.map((doc) =>
    Buffer.from(
      doc.toString().replace(BEFORE, ',"seen":{"risk_block_threshold":90,"normal_amount_max_minor":null}}'),
    ),
  );
  return {
    recordUs,
    beforeUs,
    groupUs,
    groupBytes,
    rowBytes: segmentBytes(docs),
    rowBytesBefore: segmentBytes(before),
  };
}

/** The mean bytes of a document in document blocks as large as in the database. */
function segmentBytes(docs: readonly Buffer[]): number {
  const encoder = new SegmentEncoder();
  let bytes = 0;
  for (let at = 0; at < docs.length; at += SEGMENT_ROWS_MAX) {
    const segment = docs.slice(at, at + SEGMENT_ROWS_MAX);
    bytes += encoder.encode(
      segment,
      segment.reduce((sum, doc) => sum + doc.length, 0),
    ).length;
  }
  return bytes / docs.length;
}

function medianUs(calls: number, call: (index: number) => number): number {
  const timesUs: number[] = [];
  let sink = 0;
  for (let repetition = -1; repetition < REPETITIONS; repetition++) {
    const startedMs = performance.now();
    for (let index = 0; index < calls; index++) sink += call(index);
    // The first repetition only warms up.
    if (repetition >= 0) timesUs.push(((performance.now() - startedMs) * 1000) / calls);
  }
  if (Number.isNaN(sink)) throw new Error("a call gave no number");
  return timesUs.toSorted((a, b) => a - b)[REPETITIONS >> 1] as number;
}
