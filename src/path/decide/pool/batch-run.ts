import type { BatchReply } from "./messages.js";
import type { TaskSlots } from "./task-slots.js";

/** One request on its way to a decide worker. `settle` is called exactly one time. */
export interface Job<Answer> {
  /** Monotonic milliseconds. */
  receivedAtMs: number;
  /** `settle` must not throw, because the rest of the batch is settled after it. */
  settle(answer: Answer): void;
}

/** The wait of a reply whose answers may not leave yet. */
export interface Hold<Answer> {
  /** Resolves to true when the answers may leave, and to false if they must not. */
  released: Promise<boolean>;
  /** What is answered if `answer` must not leave. */
  withheld(answer: Answer): Answer;
}

/** The jobs of one task. They are settled together and only one time, and then `jobs` becomes null. */
export interface Batch<J> {
  jobs: readonly J[] | null;
}

const ATTEMPTS_MAX = 2;

export interface BatchRunOptions<J extends Job<Answer>, Answer, Reply extends BatchReply> {
  slots: Pick<TaskSlots, "replied">;
  /** Runs the jobs on a worker as one task. */
  run(jobs: readonly J[], slot: number): Promise<Reply>;
  answerOf(reply: Reply, index: number, slot: number): Answer;
  /** DUR-17: what a reply waits for before its answers may leave. Null if nothing does. */
  hold(reply: Reply): Hold<Answer> | null;
  /** The answer to a job if no worker answers it. */
  unavailable: Answer;
  onReply(reply: Reply): void;
  /** Called with the number of jobs that were just answered. */
  onSettled(jobs: number): void;
  onWorkerError(error: unknown): void;
}

export interface BatchRun<J, Answer> {
  /** Runs a batch in a slot, and answers its jobs. If its worker dies, another worker runs the batch one more time. */
  run(batch: Batch<J>, slot: number): Promise<void>;
  /** Answers the jobs of a batch, unless they have been answered. */
  settle(batch: Batch<J>, answerOf: (index: number) => Answer): void;
}

/** Runs batches on workers, and answers their requests once each. */
export function createBatchRun<J extends Job<Answer>, Answer, Reply extends BatchReply>(
  options: BatchRunOptions<J, Answer, Reply>,
): BatchRun<J, Answer> {
  // Batches and replies are emptied after use, because their tasks outlive them. Piscina stores its tasks in a Map. When
  // a Map grows, its old table points to the new one, so V8 keeps the removed tasks alive for longer. Without the
  // emptying, a third of the front's allocations survived, and a scavenge took 6 ms, not 1 ms.
  const settle = (batch: Batch<J>, answerOf: (index: number) => Answer): void => {
    const { jobs } = batch;
    if (jobs === null) return;
    batch.jobs = null;
    options.onSettled(jobs.length);
    for (let index = 0; index < jobs.length; index++) (jobs[index] as J).settle(answerOf(index));
  };

  /** Settles a batch that a worker has answered. */
  const answer = async (batch: Batch<J>, reply: Reply, slot: number): Promise<void> => {
    options.onReply(reply);
    const answerOf = (index: number): Answer => options.answerOf(reply, index, slot);
    const hold = options.hold(reply);
    if (hold === null) return settle(batch, answerOf);
    options.slots.replied(slot);
    const isReleased = await hold.released;
    settle(batch, isReleased ? answerOf : (index) => hold.withheld(answerOf(index)));
  };

  const run = async (batch: Batch<J>, slot: number): Promise<void> => {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && batch.jobs !== null; attempt++) {
      try {
        return await answer(batch, await options.run(batch.jobs, slot), slot);
      } catch (error) {
        options.onWorkerError(error);
      }
    }
    settle(batch, () => options.unavailable);
  };

  return { run, settle };
}
