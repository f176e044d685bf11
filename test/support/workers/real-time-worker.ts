import { readlinkSync } from "node:fs";
import { once } from "node:events";
import { parentPort, Worker } from "node:worker_threads";
import { runThreadInRealTime } from "../../../src/platform/threads/real-time.js";

/** Reports its thread id once it has real-time scheduling and has started another thread. */
runThreadInRealTime();
const another = new Worker("setTimeout(() => undefined, 60_000)", { eval: true });
await once(another, "online");
parentPort?.postMessage(readlinkSync("/proc/thread-self").split("/").at(-1));
