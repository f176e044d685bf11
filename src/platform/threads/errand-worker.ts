import { parentPort } from "node:worker_threads";
import type { ErrandCommand, ErrandReport } from "./errand-messages.js";
import { runThreadInBackground } from "./background.js";

/**
 * Serves the tasks of an ErrandThread, in the worker. It answers each task with the result of `work`, or with `failed`
 * if `work` throws.
 */
export function serveErrands(work: (task: never) => unknown): void {
  runThreadInBackground();
  parentPort?.on("message", (command: ErrandCommand<never>) => {
    if (command.type === "stop") return parentPort?.close();
    parentPort?.postMessage(answer(work, command.ticket, command.task));
  });
}

function answer<Task, Answer>(
  work: (task: Task) => Answer,
  ticket: number,
  task: Task,
): ErrandReport<Answer> {
  try {
    return { type: "answer", ticket, answer: work(task) };
  } catch (error) {
    return { type: "failed", ticket, where: whereOf(error) };
  }
}

/** Returns only the error's kind and stack, because its message may contain a password or a merchant's text. */
function whereOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const frames = (error.stack ?? "").slice(`${error.name}: ${error.message}`.length).trim();
  return `${error.name} ${frames}`;
}
