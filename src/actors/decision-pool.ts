import { Piscina } from "piscina";
import { monotonicMs } from "../shared/clock.js";
import { LIMITS } from "../shared/limits.js";
import { unpackAnswer } from "./packed-answers.js";
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
  /** The journal stopped taking records, or, with null, takes them again. */
  onJournalChange(error: string | null): void;
  /** No task has ended for this long although some are under way. */
  stuckAfterMs: number;
  /**
   * A worker died inside an LMDB transaction (out of memory, say): lmdb-js then waits in that thread for a lock the
   * thread itself holds, the journal's write lock stays taken, and only the end of the process frees it.
   */
  onStuck(): void;
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

/** The requests of one task, settled together and once; settled, it holds none. */
interface Batch {
  jobs: readonly DecisionJob[] | null;
}

const ATTEMPTS_MAX = 2;
const TEND_INTERVAL_MS = 500;
const JOURNAL_SOUND_AFTER_MS = 1000;
/** When the pool is closed everybody has been answered: what still runs hangs. */
const CLOSE_TIMEOUT_MS = 1000;
const UNAVAILABLE: DecideAnswer = { kind: "unavailable" };

/**
 * Requests that arrive in one event-loop turn form one Piscina task, or a few where they are many (measured: one task per request costs three
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
    closeTimeout: CLOSE_TIMEOUT_MS,
  });
  // Piscina replaces a thread that died and reports the error here too; without a listener it would be thrown.
  pool.on("error", options.onWorkerError);

  const tasksMax = options.workers * LIMITS.tasksPerWorkerMax;
  let waiting: DecisionJob[] = [];
  let pending = 0;
  let tasksInFlight = 0;
  let flushScheduled = false;
  let committedSequence = 0;
  let journalIsFailing = false;
  let journalFailedAtMs = 0;
  let tasksEnded = 0;
  /** The batches under way, each in a place of its own. */
  const underWay: (Batch | null)[] = Array.from({ length: tasksMax }, () => null);

  // Batch and reply are emptied once used. V8 keeps what a Map or Set held alive beyond its removal (tables that were
  // outgrown are linked to their successors, and one of them is in the old generation), and Piscina keeps its tasks in
  // a Map: without this a third of all that the front allocates survived, at 6 ms for each scavenge instead of 1.
  const settle = (batch: Batch, answerOf: (index: number) => DecideAnswer): void => {
    const { jobs } = batch;
    if (jobs === null) return;
    batch.jobs = null;
    pending -= jobs.length;
    for (const [index, job] of jobs.entries()) job.settle(answerOf(index));
  };

  const noteReply = (reply: DecideReply): void => {
    if (reply.bug !== null) options.onWorkerError(new Error(reply.bug));
    if (reply.sequence > committedSequence) committedSequence = reply.sequence;
    if (reply.journalError !== null) {
      journalFailedAtMs = monotonicMs();
      if (!journalIsFailing) options.onJournalChange(reply.journalError);
      journalIsFailing = true;
    } else if (journalIsFailing && reply.sequence > 0) {
      // A disk that is nearly full takes a small batch now and then.
      if (monotonicMs() - journalFailedAtMs < JOURNAL_SOUND_AFTER_MS) return;
      journalIsFailing = false;
      options.onJournalChange(null);
    }
  };

  const run = async (batch: Batch): Promise<void> => {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && batch.jobs !== null; attempt++) {
      try {
        const reply = await pool.run(toTask(batch.jobs));
        noteReply(reply);
        settle(batch, (index) => unpackAnswer(reply.answers, index));
        reply.answers.bodies.length = 0;
        return;
      } catch (error) {
        options.onWorkerError(error);
      }
    }
    settle(batch, () => UNAVAILABLE);
  };

  const dispatch = (): void => {
    while (waiting.length > 0 && tasksInFlight < tasksMax) {
      const jobs =
        waiting.length <= LIMITS.batchRequestsMax ? waiting : waiting.slice(0, LIMITS.batchRequestsMax);
      waiting = jobs === waiting ? [] : waiting.slice(LIMITS.batchRequestsMax);
      tasksInFlight++;
      options.onBatch(jobs.length);
      const place = underWay.indexOf(null);
      const batch: Batch = { jobs };
      underWay[place] = batch;
      void run(batch).finally(() => {
        tasksInFlight--;
        tasksEnded++;
        underWay[place] = null;
        if (waiting.length > 0) scheduleFlush();
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

  /** Nothing waits for ever: not for a worker that hangs on the journal's lock or disk, nor for one that never comes. */
  const answerOverdue = (): void => {
    const overdueMs = monotonicMs() - LIMITS.decisionAnswerMsMax;
    const isOverdue = (job: DecisionJob): boolean => job.receivedAtMs < overdueMs;
    for (const batch of underWay) if (batch?.jobs?.some(isOverdue)) settle(batch, () => UNAVAILABLE);
    const overdue = waiting.filter(isOverdue);
    if (overdue.length === 0) return;
    waiting = waiting.filter((job) => !isOverdue(job));
    settle({ jobs: overdue }, () => UNAVAILABLE);
  };

  /** Piscina gives up on a worker that fails while it loads; a task beyond its threads makes it try another. */
  const replaceMissing = (): void => {
    if (pool.threads.length < options.workers) pool.run(EMPTY_TASK).catch(() => undefined);
  };

  // Counted in rounds, not read off a clock: a process that was stopped for a while is not stuck.
  let roundsWithoutEnd = 0;
  let tasksEndedBefore = 0;
  const noticeStuck = (): void => {
    roundsWithoutEnd = tasksInFlight > 0 && tasksEnded === tasksEndedBefore ? roundsWithoutEnd + 1 : 0;
    tasksEndedBefore = tasksEnded;
    if (roundsWithoutEnd * TEND_INTERVAL_MS >= options.stuckAfterMs) options.onStuck();
  };

  const tending = setInterval(() => {
    answerOverdue();
    replaceMissing();
    noticeStuck();
  }, TEND_INTERVAL_MS);

  return {
    submit(job) {
      if (pending >= LIMITS.pendingRequestsMax) return "full";
      pending++;
      waiting.push(job);
      // A worker begins while this turn still reads: with the whole turn in one task, the two would take turns.
      if (waiting.length >= LIMITS.batchRequestsReady) dispatch();
      else scheduleFlush();
      return "accepted";
    },
    async warmUp() {
      // One task per thread at a time would not reach them all: fill every slot.
      await Promise.all(Array.from({ length: tasksMax }, () => pool.run(EMPTY_TASK)));
    },
    committedSequence: () => committedSequence,
    stats: () => ({
      pending,
      tasksInFlight,
      workers: pool.threads.length,
      utilization: tasksInFlight / tasksMax,
    }),
    async close() {
      clearInterval(tending);
      await pool.close({ force: true });
    },
  };
}

const EMPTY_TASK: DecideTask = {
  callers: [],
  caller: [],
  bodies: [],
  idempotencyKeys: [],
  receivedAtMs: [],
};

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
