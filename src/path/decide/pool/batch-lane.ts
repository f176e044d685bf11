import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { BatchReply } from "./messages.js";

/** One request on its way to a decide worker; `settle` is called exactly once. */
export interface Job<Answer> {
  /** Monotonic milliseconds. */
  receivedAtMs: number;
  /** Never throws: the others of its batch are settled after it. */
  settle(answer: Answer): void;
}

/** The task slots that all lanes of a pool share. */
export interface TaskSlots {
  /** The place of a slot that is nobody else's until it is free again; null when every worker has its tasks in flight. */
  take(): number | null;
  free(slot: number): void;
  /** Whether a worker would begin a task at once. */
  hasIdleWorker(): boolean;
}

export interface BatchLaneOptions<J extends Job<Answer>, Answer, Reply extends BatchReply> {
  slots: TaskSlots;
  /** Hands the jobs to a worker as one task. */
  run(jobs: readonly J[], slot: number): Promise<Reply>;
  answerOf(reply: Reply, index: number, slot: number): Answer;
  /** What a job is told when no worker answers. */
  unavailable: Answer;
  onBatch(jobs: number): void;
  onReply(reply: Reply): void;
  /** Jobs were answered. */
  onSettled(jobs: number): void;
  onWorkerError(error: unknown): void;
}

export interface BatchLane<J> {
  add(job: J): void;
  /** Hands out what waits, as far as there are slots. */
  dispatch(): void;
  /** When the oldest job without an answer was received; Infinity without one. */
  oldestMs(): number;
  /** Answers `unavailable` to jobs received before `overdueMs`. */
  answerOverdue(overdueMs: number): void;
}

/** The requests of one task, settled together and once; settled, it holds none. */
interface Batch<J> {
  jobs: readonly J[] | null;
}

const ATTEMPTS_MAX = 2;

/**
 * Requests of one kind that arrive in one event-loop turn form one Piscina task, or a few where they are many
 * (measured: one task per request costs three quarters of the throughput). While every worker is at work a few requests
 * wait to become more, and while every worker has its tasks in flight any number does.
 */
export function createBatchLane<J extends Job<Answer>, Answer, Reply extends BatchReply>(
  options: BatchLaneOptions<J, Answer, Reply>,
): BatchLane<J> {
  let waiting: J[] = [];
  let flushScheduled = false;
  /** The batches under way, each in a place of its own. */
  const underWay: (Batch<J> | null)[] = [];

  // Batch and reply are emptied once used. V8 keeps what a Map or Set held alive beyond its removal (tables that were
  // outgrown are linked to their successors, and one of them is in the old generation), and Piscina keeps its tasks in
  // a Map: without this a third of all that the front allocates survived, at 6 ms for each scavenge instead of 1.
  const settle = (batch: Batch<J>, answerOf: (index: number) => Answer): void => {
    const { jobs } = batch;
    if (jobs === null) return;
    batch.jobs = null;
    options.onSettled(jobs.length);
    for (let index = 0; index < jobs.length; index++) (jobs[index] as J).settle(answerOf(index));
  };

  /** A worker that died has its batch done once more by another. */
  const run = async (batch: Batch<J>, slot: number): Promise<void> => {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && batch.jobs !== null; attempt++) {
      try {
        const reply = await options.run(batch.jobs, slot);
        options.onReply(reply);
        return settle(batch, (index) => options.answerOf(reply, index, slot));
      } catch (error) {
        options.onWorkerError(error);
      }
    }
    settle(batch, () => options.unavailable);
  };

  const dispatch = (): void => {
    while (waiting.length > 0) {
      // A few would only wait at the worker instead of here, where others still join them. The end of a task dispatches again.
      if (waiting.length < TUNING.batchRequestsSmall && !options.slots.hasIdleWorker()) return;
      const slot = options.slots.take();
      if (slot === null) return;
      const jobs =
        waiting.length <= TUNING.batchRequestsMax ? waiting : waiting.slice(0, TUNING.batchRequestsMax);
      waiting = jobs === waiting ? [] : waiting.slice(TUNING.batchRequestsMax);
      options.onBatch(jobs.length);
      const free = underWay.indexOf(null);
      const place = free === -1 ? underWay.length : free;
      const batch: Batch<J> = { jobs };
      underWay[place] = batch;
      void run(batch, slot).finally(() => {
        underWay[place] = null;
        options.slots.free(slot);
      });
    }
  };

  const scheduleFlush = (): void => {
    if (flushScheduled) return;
    flushScheduled = true;
    setImmediate(() => {
      flushScheduled = false;
      dispatch();
    });
  };

  return {
    add(job) {
      waiting.push(job);
      // A worker begins while this turn still reads: with the whole turn in one task, the two would take turns.
      if (waiting.length >= TUNING.batchRequestsReady) dispatch();
      else scheduleFlush();
    },
    dispatch() {
      if (waiting.length > 0) scheduleFlush();
    },
    oldestMs() {
      let oldestMs = waiting[0]?.receivedAtMs ?? Number.POSITIVE_INFINITY;
      for (const batch of underWay) {
        const first = batch?.jobs?.[0];
        if (first !== undefined && first.receivedAtMs < oldestMs) oldestMs = first.receivedAtMs;
      }
      return oldestMs;
    },
    answerOverdue(overdueMs) {
      const isOverdue = (job: J): boolean => job.receivedAtMs < overdueMs;
      const unavailable = (): Answer => options.unavailable;
      for (const batch of underWay) if (batch?.jobs?.some(isOverdue)) settle(batch, unavailable);
      const overdue = waiting.filter(isOverdue);
      if (overdue.length === 0) return;
      waiting = waiting.filter((job) => !isOverdue(job));
      settle({ jobs: overdue }, unavailable);
    },
  };
}
