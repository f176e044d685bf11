import { readlinkSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { runThreadInIdleTime } from "../../../src/platform/threads/background.js";

/** Reports its thread id once it runs in idle time only, and stays. */
runThreadInIdleTime();
parentPort?.on("message", () => undefined);
parentPort?.postMessage(readlinkSync("/proc/thread-self").split("/").at(-1));
