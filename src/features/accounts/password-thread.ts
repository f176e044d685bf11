import type { PasswordWork } from "./password-queue.js";
import {
  superviseErrands,
  type ErrandThread,
  type ErrandThreadOptions,
} from "../../platform/threads/errand-thread.js";
import type { PasswordTask } from "./password-messages.js";

export interface PasswordThread extends PasswordWork {
  stop(): Promise<void>;
}

/**
 * The front thread's handle on the password thread, which runs at a lower priority than the threads that answer
 * merchants.
 */
export function supervisePasswords(options: Omit<ErrandThreadOptions, "name">): PasswordThread {
  const thread: ErrandThread<PasswordTask, string | boolean> = superviseErrands({
    ...options,
    name: "password",
  });
  return {
    hash: (password) => thread.ask({ kind: "hash", password }) as Promise<string>,
    verify: (password, passwordHash) =>
      thread.ask({ kind: "verify", password, passwordHash }) as Promise<boolean>,
    stop: () => thread.stop(),
  };
}
