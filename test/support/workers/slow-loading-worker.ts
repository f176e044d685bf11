import { parentPort, workerData } from "node:worker_threads";

export interface SlowLoadingData {
  loadMs: number;
  /** The first element becomes 1 when the thread has ended by itself. */
  ended: Int32Array<SharedArrayBuffer>;
}

/** Loads slowly, as a worker does that opens a large environment on a busy machine. It ends when it is told to. */
const { loadMs, ended } = workerData as SlowLoadingData;
const loadedMs = performance.now() + loadMs;
while (performance.now() < loadedMs);
parentPort?.once("message", () => {
  ended[0] = 1;
});
