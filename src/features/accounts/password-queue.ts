import { availableParallelism } from "node:os";
import { setTimeout } from "node:timers/promises";
import { monotonicMs } from "../../platform/timing/clock.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { WaitingLine } from "../../platform/timing/waiting-line.js";

/** Where passwords are worked on: Argon2id, 10 ms and 19 MiB each. */
export interface PasswordWork {
  /** PHC format. */
  hash(password: string): Promise<string>;
  /** False where `passwordHash` is null, after the same work. */
  verify(password: string, passwordHash: string | null): Promise<boolean>;
}

/** Who asks for work on a password. */
export interface Asker {
  /** Takes turns with the others: a source, or a session that lives. */
  owner: string;
  /** A session that lives goes before everybody who may be guessing. */
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
 * Argon2 is slow on purpose. Few passwords are worked on at a time, so that a storm of logins leaves the cores to
 * decisions. The others wait in a line that serves owners in turn. While decisions are made, each password is followed by a rest: a decision that wakes up on a core that is busy for
 * 10 ms waits for whole time slices, whatever the priorities are. Measured on two cores: hash after hash gave 2.5 times
 * the p99 of decisions, a tenth of a core twice.
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
    // What took longer waited for a core or for its thread to start: nobody rests for that.
    if (isDeciding) await sleep(Math.min(workedMs, TUNING.passwordWorkMsMax) * restPerWork);
  };

  /** The place is handed on, not given up: nobody who comes now overtakes those who wait. */
  const handOn = (): void => {
    const next = known.next() ?? strangers.next();
    if (next === undefined) running--;
    else next.begin();
  };

  /** Works in its turn. What `task` looks at before it works, such as a limit, it sees as those before it left it. */
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
      // Whoever asked is answered before the rest.
      void rest(now() - beganMs).then(handOn);
    }
  };

  return { inTurn };
}

export type PasswordQueue = ReturnType<typeof createPasswordQueue>;
