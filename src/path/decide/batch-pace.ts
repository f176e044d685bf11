import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface BatchPace {
  /** Call this before a batch of `requests`. It rests if more requests will probably arrive soon. */
  begin(requests: number): void;
  end(): void;
}

/** Nothing ever wakes a wait on this memory, so the wait ends only by its time limit. */
const restingPlace = new Int32Array(new SharedArrayBuffer(4));

/** The time over which past requests are counted. It covers enough batches for a reliable rate. */
const RATE_WINDOW_MS = 10;

/**
 * Delays small batches. A batch costs a message, a commit and two changes of thread, however few requests it has. At
 * half of the highest rate, batches had 5 requests, and a decision cost a worker twice as much as at the highest rate.
 * So a worker that has just ended a batch rests before another small one, while requests gather. It rests only if
 * requests arrive fast enough.
 *
 * @param now milliseconds
 */
export function createBatchPace(
  now: () => number,
  rest: (restMs: number) => void = (restMs) => void Atomics.wait(restingPlace, 0, 0, restMs),
): BatchPace {
  let recentRequests = 0;
  let beganMs = now();
  let endedMs = Number.NEGATIVE_INFINITY;

  return {
    begin(requests) {
      const nowMs = now();
      recentRequests = recentRequests * Math.exp((beganMs - nowMs) / RATE_WINDOW_MS) + requests;
      beganMs = nowMs;
      if (requests >= TUNING.batchRequestsSmall) return;
      const restMs = TUNING.batchRestMs - (nowMs - endedMs);
      const expected = (recentRequests / RATE_WINDOW_MS) * TUNING.batchRestMs;
      if (restMs > 0 && expected >= TUNING.batchRestRequestsMin) rest(restMs);
    },
    end() {
      endedMs = now();
    },
  };
}

/** Wraps `work` so that it runs at the given pace. */
export function paced<Task, Reply>(
  pace: BatchPace,
  requestsOf: (task: Task) => number,
  work: (task: Task) => Reply,
): (task: Task) => Reply {
  return (task) => {
    pace.begin(requestsOf(task));
    try {
      return work(task);
    } finally {
      pace.end();
    }
  };
}
