import { parentPort, workerData } from "node:worker_threads";

export interface SlowLoadingData {
  loadMs: number;
  /** Its one number becomes 1 when the thread has ended by itself. */
  ended: Int32Array<SharedArrayBuffer>;
}

/** Takes its time to load, as what opens a large environment on a busy machine, and ends when it is told to. */
const { loadMs, ended } = workerData as SlowLoadingData;
const loadedMs = performance.now() + loadMs;
while (performance.now() < loadedMs);
parentPort?.once("message", () => {
  ended[0] = 1;
});
