import { beginLane, LANE_WORDS, type DecisionIdLane } from "../../../domain/ids/decision-id.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";

/**
 * Memory that the front thread and all decide workers share, with one page for each possible task. A worker writes
 * finished answers into the page, and the front sends them from there. As strings in a message, each answer would be
 * copied into the message, out of it, and into bytes. The numbers of a request are in the page too, because a message
 * would write and read each number as a separate value (bench (c) is 1.03 times as fast this way).
 *
 * The page belongs to the worker from the task's message until its reply. Before and after that it belongs to the
 * front, until the task's slot is free again. The messages order the memory accesses of the two threads.
 *
 * Layout: for each request, the index of its caller (u32) and its time of arrival (f64). The answer overwrites these
 * with its code (packed-answers.ts) and the end of its bytes (u32 each), and with its latency (f64). Then follow the
 * lane of the page's decision ids, and the bytes of all answers, without gaps.
 */
export interface TaskPage {
  /** Two words for each request. */
  readonly words: Uint32Array;
  /** One time for each request, in milliseconds. */
  readonly timesMs: Float64Array;
  /** The lane of ids for the decisions of this page's tasks, whichever worker has the task. */
  readonly lane: DecisionIdLane;
  /** All bytes of the page, including the other fields' memory. */
  readonly bytes: Buffer;
}

const WORDS_BYTES = TUNING.batchRequestsMax * 2 * Uint32Array.BYTES_PER_ELEMENT;
const TIMES_BYTES = TUNING.batchRequestsMax * Float64Array.BYTES_PER_ELEMENT;
const LANE_AT = WORDS_BYTES + TIMES_BYTES;
/** The offset at which the answers' bytes begin. */
export const ANSWERS_AT = LANE_AT + LANE_WORDS * Int32Array.BYTES_PER_ELEMENT;

/**
 * Allocates `count` pages. The lane of each page has the number of its slot. The operating system provides a page's
 * memory only when it is first written.
 */
export function allocateTaskPages(count: number): SharedArrayBuffer[] {
  return Array.from({ length: count }, (_, slot) => {
    const memory = new SharedArrayBuffer(TUNING.taskPageBytes);
    beginLane(new Int32Array(memory, LANE_AT, LANE_WORDS), slot, count);
    return memory;
  });
}

export function openTaskPage(memory: SharedArrayBuffer): TaskPage {
  return {
    words: new Uint32Array(memory, 0, TUNING.batchRequestsMax * 2),
    timesMs: new Float64Array(memory, WORDS_BYTES, TUNING.batchRequestsMax),
    lane: new Int32Array(memory, LANE_AT, LANE_WORDS),
    bytes: Buffer.from(memory),
  };
}
