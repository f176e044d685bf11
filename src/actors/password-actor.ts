import { hashPassword, verifyPassword } from "../auth/password.js";
import { unreachable } from "../shared/unreachable.js";
import type { PasswordTask } from "./messages.js";

/** The body of the password thread; null for a stored hash that is none. */
export function workOnPassword(task: PasswordTask): string | boolean | null {
  try {
    switch (task.kind) {
      case "hash":
        return hashPassword(task.password);
      case "verify":
        return verifyPassword(task.password, task.passwordHash);
      default:
        return unreachable(task);
    }
  } catch {
    // What the library says may hold what it was given.
    return null;
  }
}
