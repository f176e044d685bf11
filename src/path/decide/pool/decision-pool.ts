import { Piscina } from "piscina";
import type { OutcomeCaller, ReportedOutcome } from "../../../domain/outcomes/reported-outcome.js";
import type { CacheRoundTrip } from "../../../platform/cache/round-trip.js";
import { monotonicMs } from "../../../platform/timing/clock.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import { within } from "../../../platform/timing/within.js";
import type { MirrorGate } from "../../mirror/mirror-signal.js";
import {
  allocateTaskPages,
  openTaskPage,
  type TaskPage,
  packRequests,
  type DecideRequest,
  unpackAnswer,
} from "./shared-memory.js";
import type {
  DecideWorkerData,
  DecideWorkerSettings,
  BatchReply,
  DecideAnswer,
  DecideReply,
  DecideTask,
  OutcomeAnswer,
  OutcomeReply,
} from "./messages.js";
import type { Job } from "./batch-run.js";
import { createTaskSlots, slotNumbers } from "./task-slots.js";
import { holdDecisions, holdOutcomes, leavingAnswer } from "./mirror-hold.js";
import { createBatchLane, type BatchLane, createPoolAdmission } from "./batch-lane.js";

export interface DecisionJob extends Job<DecideAnswer>, DecideRequest {}

export interface OutcomeJob extends Job<OutcomeAnswer> {
  report: ReportedOutcome & OutcomeCaller;
}

export interface DecisionPoolOptions {
  workerFile: string;
  workerData: DecideWorkerSettings;
  workers: number;
  /** True if workers have network connections. Their event loop must then run while they wait for a task. */
  workersHaveConnections: boolean;
  /** The gate of the journal's mirror, at which answers wait. Null without JOURNAL_MIRROR. */
  mirror: MirrorGate | null;
  onBatch(requests: number): void;
  onCacheRoundTrip(trip: CacheRoundTrip): void;
  /** Called when a batch failed because its worker died or threw. Another worker decides the batch one more time. */
  onWorkerError(error: unknown): void;
  /** Called when a worker died, whether or not it had a batch. */
  onWorkerDeath(): void;
  /** Called with an error when the journal stops taking records, and with null when it takes records again. */
  onJournalChange(error: string | null): void;
  /** A request that no worker answers within this time is answered `unavailable`. */
  answerMsMax: number;
  /** The pool counts as stuck if tasks are under way and none has ended for this long. */
  stuckAfterMs: number;
  /**
   * Called when the pool is stuck. The cause is a worker that died inside an LMDB transaction, for example for lack
   * of memory. In that thread, lmdb-js then waits for a lock that the thread itself holds. The journal's write lock
   * stays taken until the process ends.
   */
  onStuck(): void;
}

export interface DecisionPool {
  /** `full`: the node has as many requests as it can answer in time, so it does not take the job. */
  submit(job: DecisionJob): "accepted" | "full";
  submitOutcome(job: OutcomeJob): "accepted" | "full";
  /** Resolves when every worker has loaded. */
  warmUp(): Promise<void>;
  /** The newest journal sequence that this node has committed. */
  committedSequence(): number;
  stats(): { pending: number; tasksInFlight: number; workers: number; utilization: number };
  close(): Promise<void>;
}

const TEND_INTERVAL_MS = 500;
const JOURNAL_SOUND_AFTER_MS = 1000;
/** The longest wait for tasks at a close. All requests have been answered by then, so a task that still runs hangs. */
const CLOSE_TIMEOUT_MS = 1000;
const UNAVAILABLE = { kind: "unavailable" } as const;
const STORED = { kind: "stored" } as const;
/** The name under which workers/decide.ts exports its outcome actor. */
const OUTCOMES = "outcomes";

/** The pool of decide workers. Decisions and outcomes share its task slots and the journal. */
export function createDecisionPool(options: DecisionPoolOptions): DecisionPool {
  const { tasksMax, slotsMax } = slotNumbers(options.workers, options.mirror !== null);
  const memory = allocateTaskPages(slotsMax);
  const pages = memory.map(openTaskPage);
  const workerData: DecideWorkerData = { ...options.workerData, pages: memory };
  const pool = new Piscina({
    filename: options.workerFile,
    workerData,
    minThreads: options.workers,
    maxThreads: options.workers,
    concurrentTasksPerWorker: TUNING.tasksPerWorkerMax,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
    // By default an idle worker sleeps in `Atomics.wait`, where sockets and timers cannot wake it.
    atomics: options.workersHaveConnections ? "disabled" : "sync",
  });
  // Piscina replaces a thread that died, and reports the error here too. Without a listener the error would be thrown.
  // The count restarts, so that the new worker has the full time to start.
  let roundsWithoutEnd = 0;
  pool.on("error", (error) => {
    roundsWithoutEnd = 0;
    options.onWorkerError(error);
  });

  let isClosing = false;
  let warming: Promise<unknown> = Promise.resolve();
  pool.on("workerDestroy", () => {
    if (!isClosing) options.onWorkerDeath();
  });

  const admission = createPoolAdmission(monotonicMs);
  let pending = 0;
  let committedSequence = 0;
  let journalIsFailing = false;
  let journalFailedAtMs = 0;

  const noteReply = (reply: BatchReply): void => {
    if (reply.bug !== null) options.onWorkerError(new Error(reply.bug));
    if (reply.sequence > committedSequence) committedSequence = reply.sequence;
    if (reply.journalError !== null) {
      journalFailedAtMs = monotonicMs();
      if (!journalIsFailing) options.onJournalChange(reply.journalError);
      journalIsFailing = true;
    } else if (journalIsFailing && reply.sequence > 0) {
      // One success proves nothing, because even a nearly full disk accepts a small batch now and then.
      if (monotonicMs() - journalFailedAtMs < JOURNAL_SOUND_AFTER_MS) return;
      journalIsFailing = false;
      options.onJournalChange(null);
    }
  };

  const slots = createTaskSlots({
    workers: options.workers,
    tasksMax,
    slotsMax,
    onFree: () => lanes.forEach((lane) => lane.dispatch()),
  });
  const common = {
    slots,
    unavailable: UNAVAILABLE,
    onBatch: options.onBatch,
    onReply: noteReply,
    onSettled: (jobs: number): void => {
      pending -= jobs;
      admission.answered(jobs);
    },
    onWorkerError: options.onWorkerError,
  };
  const decisions = createBatchLane<DecisionJob, DecideAnswer, DecideReply>({
    ...common,
    run: (jobs, slot) => pool.run(packRequests(jobs, slot, pages[slot] as TaskPage)),
    // A worker asks the cache only about keys.
    waits: (jobs) =>
      options.workersHaveConnections && jobs.some(({ idempotencyKey }) => idempotencyKey !== null),
    onReply: (reply) => {
      noteReply(reply);
      if (reply.cacheRoundTrips !== undefined) reply.cacheRoundTrips.forEach(options.onCacheRoundTrip);
    },
    answerOf: (reply, index, slot) =>
      leavingAnswer(reply, unpackAnswer(pages[slot] as TaskPage, reply, index)),
    hold: holdDecisions(options.mirror),
  });
  const outcomes = createBatchLane<OutcomeJob, OutcomeAnswer, OutcomeReply>({
    ...common,
    run: (jobs) => pool.run({ reports: jobs.map(({ report }) => report) }, { name: OUTCOMES }),
    waits: () => false,
    answerOf: (reply) => (reply.journalError === null ? STORED : UNAVAILABLE),
    hold: holdOutcomes(options.mirror),
  });
  const lanes: readonly BatchLane<never>[] = [decisions, outcomes];

  /** Answers requests that have waited for `answerMsMax`, because a worker hangs or no worker comes. */
  const answerOverdue = (): void => {
    const overdueMs = monotonicMs() - options.answerMsMax;
    for (const lane of lanes) lane.answerOverdue(overdueMs);
  };

  /** Piscina does not replace a worker that failed to load. An additional task makes it start one. */
  const replaceMissing = (): void => {
    if (pool.threads.length < options.workers) pool.run(EMPTY_TASK).catch(() => undefined);
  };

  // Rounds are counted, not time. Otherwise a process that was suspended would look stuck.
  let tasksEndedBefore = 0;
  const noticeStuck = (): void => {
    const tasksEnded = slots.tasksEnded();
    roundsWithoutEnd =
      slots.tasksInFlight() > 0 && tasksEnded === tasksEndedBefore ? roundsWithoutEnd + 1 : 0;
    tasksEndedBefore = tasksEnded;
    if (roundsWithoutEnd * TEND_INTERVAL_MS >= options.stuckAfterMs) options.onStuck();
  };

  const tending = setInterval(() => {
    answerOverdue();
    replaceMissing();
    noticeStuck();
  }, TEND_INTERVAL_MS);

  const oldestMs = (): number => Math.min(decisions.oldestMs(), outcomes.oldestMs());
  const isFull = (): boolean => admission.isFull({ pending, oldestMs });

  return {
    submit(job) {
      if (isFull()) return "full";
      pending++;
      decisions.add(job);
      return "accepted";
    },
    submitOutcome(job) {
      if (isFull()) return "full";
      pending++;
      outcomes.add(job);
      return "accepted";
    },
    async warmUp() {
      // One task per thread might not reach every thread, so every slot gets one.
      const tasks = Array.from({ length: tasksMax }, () => pool.run(EMPTY_TASK));
      warming = Promise.allSettled(tasks);
      await Promise.all(tasks);
    },
    committedSequence: () => committedSequence,
    stats: () => ({
      pending,
      tasksInFlight: slots.tasksInFlight(),
      workers: pool.threads.length,
      utilization: slots.tasksInFlight() / tasksMax,
    }),
    async close() {
      isClosing = true;
      clearInterval(tending);
      // If a worker is terminated while it opens LMDB, it never ends. So the pool waits until all have loaded.
      await within(warming, TUNING.lmdbLoadMsMax, undefined);
      await pool.close({ force: true });
    },
  };
}

/** A task without requests. It writes no answers, so it may name the page of another task. */
const EMPTY_TASK: DecideTask = {
  page: 0,
  callers: [],
  bodies: [],
  idempotencyKeys: null,
};
