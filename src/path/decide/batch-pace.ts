import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface BatchPace {
  /** Before a batch of `requests`: rests where more of them are about to come. */
  begin(requests: number): void;
  end(): void;
}

/** Nobody ever wakes it. */
const restingPlace = new Int32Array(new SharedArrayBuffer(4));

/** What is remembered of the requests before; as many batches as it takes to be sure of a rate. */
const RATE_WINDOW_MS = 10;

/**
 * A batch costs a message, a commit and two changes of thread, however few requests it has: at half of the highest rate
 * batches were of 5, and a decision cost a worker twice what it does at the highest. So a worker that has only just
 * ended a batch does not take up another small one before a rest, in which requests for the next one gather; only where
 * they come so fast that some will.
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

/** `work` at that pace. */
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
