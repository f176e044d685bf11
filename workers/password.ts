import { parentPort } from "node:worker_threads";
import type { PasswordCommand, PasswordReport } from "../src/actors/messages.js";
import { workOnPassword } from "../src/actors/password-actor.js";
import { lowerThreadPriority } from "../src/actors/thread-priority.js";

lowerThreadPriority();

parentPort?.on("message", (command: PasswordCommand) => {
  if (command.type === "stop") return parentPort?.close();
  const { ticket, task } = command;
  parentPort?.postMessage({ ticket, answer: workOnPassword(task) } satisfies PasswordReport);
});
