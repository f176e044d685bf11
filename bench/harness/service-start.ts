import { readFile } from "node:fs/promises";
import { closeAll, startRowServer, type Closer } from "./bench-processes.js";
import { emptyDataDir, withBenchPolicy, startServiceOn, type BenchService } from "./bench-service.js";

export interface ServiceStartFigure {
  /**
   * Times from the spawn to the first 200 of /ready. `freshMs` is for an empty DATA_DIR. `againMs` is for the same
   * directory afterwards, with one value for each round.
   */
  freshMs: number;
  againMs: readonly number[];
  /**
   * Times from the spawn of row (a)'s server, plain Node and uWebSockets.js, until it listens. One value for each
   * round.
   */
  bareMs: readonly number[];
  /**
   * The resident memory of the service's process before it has answered much. PostgreSQL's processes are not included.
   */
  idleMegabytes: number;
}

const STARTS_AGAIN = 3;

export interface MeasuredStart {
  service: BenchService;
  startMs: Omit<ServiceStartFigure, "idleMegabytes">;
}

/**
 * Starts the service with its embedded PostgreSQL as `npm start` does, and stops it in order, repeatedly. A bare server
 * starts in between. The last service keeps running.
 */
export async function startServiceMeasured(closers: Closer[]): Promise<MeasuredStart> {
  const dataDir = await emptyDataDir(closers);
  const own: Closer[] = [];
  closers.push(() => closeAll(own));
  let started = await startServiceOn(dataDir, own);
  const freshMs = started.readyMs;
  const againMs: number[] = [];
  const bareMs: number[] = [];
  while (againMs.length < STARTS_AGAIN) {
    await closeAll(own);
    bareMs.push(await bareStartMs());
    started = await startServiceOn(dataDir, own);
    againMs.push(started.readyMs);
  }
  return { service: await withBenchPolicy(started, dataDir), startMs: { freshMs, againMs, bareMs } };
}

async function bareStartMs(): Promise<number> {
  const own: Closer[] = [];
  const beganMs = performance.now();
  await startRowServer("bare", own);
  const elapsedMs = performance.now() - beganMs;
  await closeAll(own);
  return elapsedMs;
}

/** See proc(5), /proc/pid/status. */
export async function residentMegabytes(pid: number): Promise<number> {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return (Number(kib) * 1024) / 1e6;
}
