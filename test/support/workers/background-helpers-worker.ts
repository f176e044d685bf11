import { readdirSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { runHelpersInBackground } from "../../../src/platform/threads/background.js";
import { schedulingOf } from "../machine/scheduling.js";

/**
 * Reports the scheduling of this process's threads before and after a change, and the scheduling of a thread started
 * later.
 */
const threads = (): string[] => readdirSync("/proc/self/task");
const before = schedulingOf(`/proc/self/task/${process.pid}`);
runHelpersInBackground();
const helpers = threads().filter((id) => Number(id) !== process.pid);
const worker = new Worker("setTimeout(() => undefined, 10_000)", { eval: true });
await new Promise((resolve) => worker.once("online", resolve));
const started = threads().filter((id) => Number(id) !== process.pid && !helpers.includes(id));
const all = (ids: readonly string[]) => ids.map((id) => schedulingOf(`/proc/self/task/${id}`));
process.stdout.write(
  JSON.stringify({
    before,
    main: schedulingOf(`/proc/self/task/${process.pid}`),
    helpers: all(helpers),
    started: all(started),
  }),
);
await worker.terminate();
