import { Piscina } from "piscina";
import { LIMITS } from "../shared/limits.js";
import type { DecideAnswer, DecideReply, DecideTask, DecisionCaller } from "./messages.js";

/** One request on its way to a decide worker; `settle` is called exactly once. */
export interface DecisionJob {
  caller: DecisionCaller;
  body: string;
  idempotencyKey: string | null;
  /** Monotonic milliseconds. */
  receivedAtMs: number;
  settle(answer: DecideAnswer): void;
}

export interface DecisionPoolOptions {
  workerFile: string;
  workerData: unknown;
  workers: number;
  onBatch(requests: number): void;
  /** A worker died or threw; its batch is decided once more by another. */
  onWorkerError(error: unknown): void;
}

export interface DecisionPool {
  /** `full`: the node holds all it can answer within budget; nothing was taken. */
  submit(job: DecisionJob): "accepted" | "full";
  /** Resolves when every worker has loaded. */
  warmUp(): Promise<void>;
  /** The newest journal sequence this node has committed. */
  committedSequence(): number;
  stats(): { pending: number; tasksInFlight: number; workers: number; utilization: number };
  close(): Promise<void>;
}

const ATTEMPTS_MAX = 2;

/**
 * Requests that arrive in one event-loop turn form one Piscina task (measured: one task per request costs three
 * quarters of the throughput). While every worker has its tasks in flight, requests wait and join larger batches.
 */
export function createDecisionPool(options: DecisionPoolOptions): DecisionPool {
  const pool = new Piscina<DecideTask, DecideReply>({
    filename: options.workerFile,
    workerData: options.workerData,
    minThreads: options.workers,
    maxThreads: options.workers,
    concurrentTasksPerWorker: LIMITS.tasksPerWorkerMax,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
  });
  // Piscina replaces a thread that died and reports the error here too; without a listener it would be thrown.
  pool.on("error", options.onWorkerError);

  const tasksMax = options.workers * LIMITS.tasksPerWorkerMax;
  let waiting: DecisionJob[] = [];
  let pending = 0;
  let tasksInFlight = 0;
  let flushScheduled = false;
  let committedSequence = 0;

  const settleAll = (jobs: readonly DecisionJob[], answerOf: (index: number) => DecideAnswer): void => {
    pending -= jobs.length;
    for (const [index, job] of jobs.entries()) job.settle(answerOf(index));
  };

  const run = async (jobs: readonly DecisionJob[], attempt: number): Promise<void> => {
    try {
      const reply = await pool.run(toTask(jobs));
      if (reply.sequence > committedSequence) committedSequence = reply.sequence;
      settleAll(jobs, (index) => reply.answers[index] as DecideAnswer);
    } catch (error) {
      options.onWorkerError(error);
      if (attempt < ATTEMPTS_MAX) return run(jobs, attempt + 1);
      settleAll(jobs, () => ({ kind: "unavailable" }));
    }
  };

  const flush = (): void => {
    flushScheduled = false;
    while (waiting.length > 0 && tasksInFlight < tasksMax) {
      const jobs =
        waiting.length <= LIMITS.batchRequestsMax ? waiting : waiting.slice(0, LIMITS.batchRequestsMax);
      waiting = jobs === waiting ? [] : waiting.slice(LIMITS.batchRequestsMax);
      tasksInFlight++;
      options.onBatch(jobs.length);
      void run(jobs, 1).finally(() => {
        tasksInFlight--;
        if (waiting.length > 0) scheduleFlush();
      });
    }
  };

  const scheduleFlush = (): void => {
    if (flushScheduled) return;
    flushScheduled = true;
    setImmediate(flush);
  };

  return {
    submit(job) {
      if (pending >= LIMITS.pendingRequestsMax) return "full";
      pending++;
      waiting.push(job);
      scheduleFlush();
      return "accepted";
    },
    async warmUp() {
      const empty: DecideTask = {
        callers: [],
        caller: [],
        bodies: [],
        idempotencyKeys: [],
        receivedAtMs: [],
      };
      // One task per thread at a time would not reach them all: fill every slot.
      await Promise.all(Array.from({ length: tasksMax }, () => pool.run(empty)));
    },
    committedSequence: () => committedSequence,
    stats: () => ({
      pending,
      tasksInFlight,
      workers: pool.threads.length,
      utilization: tasksInFlight / tasksMax,
    }),
    close: () => pool.close({ force: true }),
  };
}

function toTask(jobs: readonly DecisionJob[]): DecideTask {
  // Grants hold more than a worker needs: each distinct one is copied down once per batch.
  const grants: DecisionCaller[] = [];
  const callers: DecisionCaller[] = [];
  const caller: number[] = [];
  const bodies: string[] = [];
  const idempotencyKeys: (string | null)[] = [];
  const receivedAtMs: number[] = [];
  for (const job of jobs) {
    let at = grants.indexOf(job.caller);
    if (at === -1) {
      at = grants.push(job.caller) - 1;
      const { workspaceId, mode, merchantScope } = job.caller;
      callers.push({ workspaceId, mode, merchantScope });
    }
    caller.push(at);
    bodies.push(job.body);
    idempotencyKeys.push(job.idempotencyKey);
    receivedAtMs.push(job.receivedAtMs);
  }
  return { callers, caller, bodies, idempotencyKeys, receivedAtMs };
}
