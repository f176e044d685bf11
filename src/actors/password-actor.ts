import { hashPassword, verifyPassword } from "../auth/password.js";
import { unreachable } from "../shared/unreachable.js";
import type { PasswordTask } from "./messages.js";

/** The body of the password thread; throws for a stored hash that is none. */
export function workOnPassword(task: PasswordTask): string | boolean {
  switch (task.kind) {
    case "hash":
      return hashPassword(task.password);
    case "verify":
      return verifyPassword(task.password, task.passwordHash);
    default:
      return unreachable(task);
  }
}
