import { TUNING } from "../../../domain/vocabulary/tuning.js";
import { createBatchRun, type Batch, type BatchRunOptions, type Job } from "./batch-run.js";
import type { BatchReply } from "./messages.js";
import type { TaskSlots } from "./task-slots.js";

export interface BatchLaneOptions<
  J extends Job<Answer>,
  Answer,
  Reply extends BatchReply,
> extends BatchRunOptions<J, Answer, Reply> {
  slots: TaskSlots;
  /** True if a task with these jobs may wait for the shared cache. */
  waits(jobs: readonly J[]): boolean;
  onBatch(jobs: number): void;
}

export interface BatchLane<J> {
  add(job: J): void;
  /** Sends waiting jobs to workers that have a free slot. */
  dispatch(): void;
  /** When the oldest unanswered job was received. Infinity if there is none. */
  oldestMs(): number;
  /** Answers `unavailable` to all jobs received before `overdueMs`, and to the other jobs of their running batches. */
  answerOverdue(overdueMs: number): void;
}

/**
 * Groups requests of one kind into Piscina tasks. The requests of one event-loop turn form one task, or a few if there
 * are many. One task per request would cost three quarters of the throughput. While every worker is busy, fewer than
 * `batchRequestsSmall` requests wait for more. While every worker has its full number of tasks, all requests wait.
 */
export function createBatchLane<J extends Job<Answer>, Answer, Reply extends BatchReply>(
  options: BatchLaneOptions<J, Answer, Reply>,
): BatchLane<J> {
  let waiting: J[] = [];
  let flushScheduled = false;
  const { run, settle } = createBatchRun(options);
  /** The running batches by index. */
  const underWay: (Batch<J> | null)[] = [];

  const dispatch = (): void => {
    while (waiting.length > 0) {
      // While every worker is busy, a few requests wait here for more. The end of a task calls `dispatch` again.
      if (waiting.length < TUNING.batchRequestsSmall && !options.slots.hasIdleWorker()) return;
      const jobs =
        waiting.length <= TUNING.batchRequestsMax ? waiting : waiting.slice(0, TUNING.batchRequestsMax);
      const slot = options.slots.take(options.waits(jobs));
      if (slot === null) return;
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
      // A worker then starts while the front still reads this turn's requests. Otherwise the two would alternate.
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

export interface PoolLoad {
  /** Requests without an answer. */
  pending: number;
  /** When the oldest pending request was received, in monotonic milliseconds. It is called only if needed. */
  oldestMs(): number;
}

export interface PoolAdmission {
  /** Call this when requests were answered. */
  answered(requests: number): void;
  /** True if one more request could not be answered in time. */
  isFull(load: PoolLoad): boolean;
}

const STALE_WINDOWS = 4;

/**
 * OPS-9: how many requests fit into the budget depends on the machine and its other work. So the pool measures how long
 * requests wait. A burst up to `pendingRequestsFree` is held however long it waits. If a larger burst waits too long,
 * the node is in overload. In overload it holds only as many requests as the workers recently answered in
 * `overloadedWaitMs` (Little's law).
 *
 * Whether a request is taken, by the number of pending requests:
 *
 * | State | below `…OverloadedMin` | from there on | from `…Free` on, if the oldest waits too long | from `…Max` on |
 * |---|---|---|---|---|
 * | calm | taken | taken | refused; then overloaded | refused |
 * | overloaded, for `overloadMs`; then calm | taken | taken up to the measured number | as before | refused |
 *
 * @param now monotonic milliseconds
 */
export function createPoolAdmission(now: () => number): PoolAdmission {
  let overloadedUntilMs = 0;
  let answeredInWindow = 0;
  let windowBeganMs = now();
  let heldMax: number = TUNING.pendingRequestsOverloadedMax;

  const measure = (nowMs: number): void => {
    const elapsedMs = nowMs - windowBeganMs;
    if (elapsedMs < TUNING.answerRateWindowMs) return;
    // After a quiet period, the average no longer shows the workers' speed.
    const isStale = elapsedMs > STALE_WINDOWS * TUNING.answerRateWindowMs;
    const held = isStale
      ? TUNING.pendingRequestsOverloadedMax
      : (answeredInWindow / elapsedMs) * TUNING.overloadedWaitMs;
    heldMax = Math.min(
      Math.max(held, TUNING.pendingRequestsOverloadedMin),
      TUNING.pendingRequestsOverloadedMax,
    );
    answeredInWindow = 0;
    windowBeganMs = nowMs;
  };

  return {
    answered(requests) {
      answeredInWindow += requests;
    },
    isFull({ pending, oldestMs }) {
      if (pending < TUNING.pendingRequestsOverloadedMin) return false;
      if (pending >= TUNING.pendingRequestsMax) return true;
      const nowMs = now();
      measure(nowMs);
      if (nowMs < overloadedUntilMs) return pending >= heldMax;
      if (pending < TUNING.pendingRequestsFree) return false;
      if (nowMs - oldestMs() <= TUNING.pendingWaitMsMax) return false;
      overloadedUntilMs = nowMs + TUNING.overloadMs;
      return true;
    },
  };
}
