import { LIMITS } from "../shared/limits.js";

/**
 * Memory that the front and all decide workers share: one page for each task that can be under way, so that finished
 * answers are written once by the worker and sent from there by the front. As strings in a message each would be copied
 * into it, out of it, and into bytes again. A page is the worker's from the task's message to its reply, and the front's
 * from there until the task's slot is free again; the messages themselves order the two threads' memory.
 *
 * Layout: per answer, by place, one number of detail and the end of its bytes (u32 each), then its latency (f64); behind
 * these the bytes of all answers, end to end.
 */
export interface TaskPage {
  /** Two for each answer. */
  readonly words: Uint32Array;
  readonly latenciesMs: Float64Array;
  /** The whole page. */
  readonly bytes: Buffer;
}

const WORDS_BYTES = LIMITS.batchRequestsMax * 2 * Uint32Array.BYTES_PER_ELEMENT;
const LATENCIES_BYTES = LIMITS.batchRequestsMax * Float64Array.BYTES_PER_ELEMENT;
/** Where the answers' bytes begin. */
export const ANSWERS_AT = WORDS_BYTES + LATENCIES_BYTES;

/** Memory is taken from the system as it is first written to. */
export function allocateTaskPages(count: number): SharedArrayBuffer[] {
  return Array.from({ length: count }, () => new SharedArrayBuffer(LIMITS.taskPageBytes));
}

export function openTaskPage(memory: SharedArrayBuffer): TaskPage {
  return {
    words: new Uint32Array(memory, 0, LIMITS.batchRequestsMax * 2),
    latenciesMs: new Float64Array(memory, WORDS_BYTES, LIMITS.batchRequestsMax),
    bytes: Buffer.from(memory),
  };
}
