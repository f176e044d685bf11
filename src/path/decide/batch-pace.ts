import { TUNING } from "../../domain/vocabulary/tuning.js";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DecideTask, OutcomeTask } from "./pool/messages.js";
import { batchAgeMs } from "../journal/batch-codec.js";
import type { Journal } from "../journal/journal.js";

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
 * requests arrive fast enough. Its sockets wait meanwhile, but a rest is a fraction of a round trip to the cache.
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

export interface PrecedenceOptions {
  /** How long the oldest record of the journal has waited for PostgreSQL. 0 if none waits. */
  journalAgeMs(): number;
  /** Turns real-time scheduling of this thread on or off. */
  schedule(realTime: boolean): void;
  /** Monotonic milliseconds. */
  now(): number;
}

/** A decide worker with real-time scheduling calls this after each batch. */
export type Precedence = () => void;

const LOOK_INTERVAL_MS = 250;

/**
 * Decides whether a decide worker gets the processor before the writer and PostgreSQL. In a burst it does, because they
 * can store the records afterwards. Under a lasting load above their capacity, they would fall behind by a fifth of all
 * decisions, and reads would wait. So the worker yields when the oldest record has waited for `journalBehindMs`. It
 * takes precedence again when that wait is below `journalCaughtUpMs`.
 */
export function createPrecedence({ journalAgeMs, schedule, now }: PrecedenceOptions): Precedence {
  let isFirst = true;
  let lookedMs = now();
  return () => {
    const nowMs = now();
    if (nowMs - lookedMs < LOOK_INTERVAL_MS) return;
    lookedMs = nowMs;
    const ageMs = journalAgeMs();
    const isDue = isFirst ? ageMs > TUNING.journalBehindMs : ageMs < TUNING.journalCaughtUpMs;
    if (!isDue) return;
    isFirst = !isFirst;
    schedule(isFirst);
  };
}

const BATCHES_BETWEEN_TURNS = 64;

/**
 * Wraps a worker's function so that the thread's event loop runs before every 64th batch. An idle Piscina worker sleeps
 * in `Atomics.wait` and never returns to its event loop. But V8's second pass over weak handles and Node-API's
 * finalizers run only in the event loop. Without these turns, memory grew by 88 bytes per decision, or 40 MiB a minute
 * at half of the highest rate.
 */
export function withLoopTurns(): <Task, Reply>(
  work: (task: Task) => Reply | Promise<Reply>,
) => (task: Task) => Reply | Promise<Reply> {
  let batches = 0;
  return (work) => (task) => {
    if (++batches % BATCHES_BETWEEN_TURNS !== 0) return work(task);
    return nextTurn().then(() => work(task));
  };
}

/** Returns a function for PrecedenceOptions.journalAgeMs. `now` returns Unix milliseconds. */
export function journalAge(journal: Pick<Journal, "oldestAfter">, now: () => number): () => number {
  return () => {
    const oldest = journal.oldestAfter(0);
    return oldest === null ? 0 : batchAgeMs(oldest.batch, now());
  };
}

const requestsOf = (task: DecideTask | OutcomeTask): number =>
  "bodies" in task ? task.bodies.length : task.reports.length;

/** Returns a wrapper for the functions of one decide worker. They share its pace, its precedence and its turns. */
export function createWorkRhythm({
  pace,
  precedence,
}: {
  pace: BatchPace;
  /** Null for a worker without real-time scheduling. */
  precedence: Precedence | null;
}) {
  const turning = withLoopTurns();
  return <Task extends DecideTask | OutcomeTask, Reply>(work: (task: Task) => Reply | Promise<Reply>) => {
    const atPace = paced(pace, requestsOf, work);
    return turning((task: Task) => {
      const reply = atPace(task);
      precedence?.();
      return reply;
    });
  };
}
