import { LIMITS } from "../shared/limits.js";

/** Where passwords are worked on: Argon2id, 10 ms and 19 MiB each. */
export interface PasswordWork {
  /** PHC format. */
  hash(password: string): Promise<string>;
  /** False where `passwordHash` is null, after the same work. */
  verify(password: string, passwordHash: string | null): Promise<boolean>;
}

/**
 * Argon2 is slow on purpose. Few at a time, so that a storm of logins leaves the cores to decisions; the rest wait in
 * line, and a line that is too long says `full`.
 */
export function createPasswordQueue({ hash, verify }: PasswordWork) {
  const waiting: (() => void)[] = [];
  let running = 0;

  const run = async <T>(work: () => Promise<T>): Promise<T | "full"> => {
    if (running >= LIMITS.passwordHashesAtOnceMax) {
      if (waiting.length >= LIMITS.passwordHashesWaitingMax) return "full";
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      // The place is handed on, not given up: nobody who comes now overtakes those who wait.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };

  return {
    /** Argon2id in PHC format. */
    hash: (password: string): Promise<{ passwordHash: string } | "full"> =>
      run(async () => ({ passwordHash: await hash(password) })),
    /** `passwordHash` is null where there is no such user: false, after the same work. */
    verify: (password: string, passwordHash: string | null): Promise<boolean | "full"> =>
      run(() => verify(password, passwordHash)),
  };
}

export type PasswordQueue = ReturnType<typeof createPasswordQueue>;
