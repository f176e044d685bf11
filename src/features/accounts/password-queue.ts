import { availableParallelism } from "node:os";
import { setTimeout } from "node:timers/promises";
import { monotonicMs } from "../../platform/timing/clock.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { WaitingLine } from "../../platform/timing/waiting-line.js";

/** The worker that hashes and verifies passwords with Argon2id. Each password takes 10 ms and 19 MiB. */
export interface PasswordWork {
  /** Returns the hash in PHC format. */
  hash(password: string): Promise<string>;
  /** Returns false when `passwordHash` is null, after as much work as for a real hash. */
  verify(password: string, passwordHash: string | null): Promise<boolean>;
}

/** The party that asks for work on a password. */
export interface Asker {
  /** Owners take turns. An owner is a source address or a live session. */
  owner: string;
  /** True for a live session. Sessions are served before source addresses, because a source address may be guessing. */
  isKnown: boolean;
}

export interface PasswordQueueOptions {
  work: PasswordWork;
  /** A count that rises while this node makes decisions. */
  decisionsMade(): number;
  cores?: number;
  now?(): number;
  sleep?(ms: number): Promise<void>;
}

/**
 * Argon2 is slow on purpose. At most TUNING.passwordHashesAtOnceMax passwords are worked on at a time, so that a storm
 * of logins leaves the cores to decisions. The other passwords wait in a line that serves owners in turn. While this
 * node makes decisions, a rest follows each password. A decision that wakes up on a core that is busy for 10 ms waits
 * for whole time slices, regardless of priorities. Measured on two cores: hashing without a rest multiplied the p99 of
 * decisions by 2.5. Hashing at a tenth of a core multiplied it by 2.
 */
export function createPasswordQueue({
  work,
  decisionsMade,
  cores = availableParallelism(),
  now = monotonicMs,
  sleep = (ms) => setTimeout(ms),
}: PasswordQueueOptions) {
  const restPerWork = Math.max(0, 1 / (TUNING.passwordCpuShare * cores) - 1);
  const known = new WaitingLine({ max: TUNING.passwordHashesWaitingMax });
  const strangers = new WaitingLine({ max: TUNING.passwordHashesWaitingMax });
  let running = 0;
  let decisionsBefore = decisionsMade();

  const rest = async (workedMs: number): Promise<void> => {
    const decisions = decisionsMade();
    const isDeciding = decisions !== decisionsBefore;
    decisionsBefore = decisions;
    // Work beyond the maximum was time spent waiting for a core or for the thread to start. It needs no rest.
    if (isDeciding) await sleep(Math.min(workedMs, TUNING.passwordWorkMsMax) * restPerWork);
  };

  /** The place passes directly to the next task in line, so a new task cannot overtake those that wait. */
  const passPlaceOn = (): void => {
    const next = known.next() ?? strangers.next();
    if (next === undefined) running--;
    else next.begin();
  };

  /** Runs `task` when its turn comes. Check limits inside `task`, because earlier tasks are counted by then. */
  const inTurn = async <T>(
    { owner, isKnown }: Asker,
    task: (work: PasswordWork) => Promise<T>,
  ): Promise<T | "full"> => {
    if (running >= TUNING.passwordHashesAtOnceMax) {
      const mayBegin = await new Promise<boolean>((resolve) => {
        const place = { begin: () => resolve(true), refuse: () => resolve(false) };
        (isKnown ? known : strangers).add(owner, place);
      });
      if (!mayBegin) return "full";
    } else {
      running++;
    }
    const beganMs = now();
    try {
      return await task(work);
    } finally {
      // The caller gets its answer without waiting for the rest.
      void rest(now() - beganMs).then(passPlaceOn);
    }
  };

  return { inTurn };
}

export type PasswordQueue = ReturnType<typeof createPasswordQueue>;
