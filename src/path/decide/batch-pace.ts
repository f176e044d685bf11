import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface BatchPace {
  /** Called before a batch of `requests`. Rests if more requests are about to arrive. */
  begin(requests: number): void;
  end(): void;
}

/** A wait on this memory is never woken. It only ends by its time limit. */
const restingPlace = new Int32Array(new SharedArrayBuffer(4));

/** The time over which past requests count. It covers enough batches for a reliable rate. */
const RATE_WINDOW_MS = 10;

/**
 * Delays small batches. A batch costs a message, a commit and two changes of thread, however few requests it has. At
 * half of the highest rate, batches had 5 requests, and a decision cost a worker twice as much as at the highest rate.
 * So a worker that has just ended a batch rests before another small one, while requests for it gather. It rests only
 * if requests arrive fast enough for that.
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

/** Runs `work` at that pace. */
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
