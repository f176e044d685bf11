import { beginLane, LANE_WORDS, type DecisionIdLane } from "../../../domain/ids/decision-id.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";

/**
 * Memory that the front and all decide workers share: one page for each task that can be under way. Finished answers are
 * written once by the worker and sent from there by the front: as strings in a message each would be copied into it, out
 * of it, and into bytes again. The numbers of a request go that way too: in a message each would be written and read as a
 * value of its own ((c) 1.03 times without). A page is the worker's from the task's message to its reply, and the front's
 * before and from there until the task's slot is free again; the messages themselves order the two threads' memory.
 *
 * Layout: by place, of a request the place of its caller (u32), and when it came (f64); of its answer, over these, one
 * number of detail and the end of its bytes (u32 each), and its latency (f64). Behind these the lane of the page's
 * decision ids, and the bytes of all answers, end to end.
 */
export interface TaskPage {
  /** Two for each place. */
  readonly words: Uint32Array;
  /** One for each place, milliseconds. */
  readonly timesMs: Float64Array;
  /** Of the ids that decisions get in this page's tasks, whichever worker has the task. */
  readonly lane: DecisionIdLane;
  /** The whole page. */
  readonly bytes: Buffer;
}

const WORDS_BYTES = TUNING.batchRequestsMax * 2 * Uint32Array.BYTES_PER_ELEMENT;
const TIMES_BYTES = TUNING.batchRequestsMax * Float64Array.BYTES_PER_ELEMENT;
const LANE_AT = WORDS_BYTES + TIMES_BYTES;
/** Where the answers' bytes begin. */
export const ANSWERS_AT = LANE_AT + LANE_WORDS * Int32Array.BYTES_PER_ELEMENT;

/** Memory is taken from the system as it is first written to; each page's lane has the number of its slot. */
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
