import { parentPort, workerData } from "node:worker_threads";

export interface SlowLoadingData {
  loadMs: number;
  /**
   * The first element becomes 1 when the thread handles the message that tells it to stop. It stays 0 if the thread is
   * terminated first.
   */
  ended: Int32Array<SharedArrayBuffer>;
}

/** Loads slowly, as a worker does that opens a large environment on a busy machine. It ends after its first message. */
const { loadMs, ended } = workerData as SlowLoadingData;
const loadedMs = performance.now() + loadMs;
while (performance.now() < loadedMs);
parentPort?.once("message", () => {
  ended[0] = 1;
});
