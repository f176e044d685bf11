import { parentPort, workerData } from "node:worker_threads";
import { ClaimedError, claimForProcess } from "../../../src/platform/node/process-claim.js";

/** Claims `path` once the first element of `start` is set. All other waiting workers claim at the same time. */
const { path, start } = workerData as { path: string; start: Int32Array };
parentPort?.postMessage("ready");
Atomics.wait(start, 0, 0);
try {
  await claimForProcess(path);
  parentPort?.postMessage("claimed");
} catch (error) {
  if (!(error instanceof ClaimedError)) throw error;
  parentPort?.postMessage("refused");
}
