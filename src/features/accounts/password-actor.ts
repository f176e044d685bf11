import { hashPassword, verifyPassword } from "./password.js";
import { unreachable } from "../../domain/vocabulary/unreachable.js";
import type { PasswordTask } from "./password-messages.js";

/** The body of the password thread. It throws when the stored hash is malformed. */
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
