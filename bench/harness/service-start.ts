import { readFile } from "node:fs/promises";
import { closeAll, startRowServer, type Closer } from "./bench-processes.js";
import { emptyDataDir, withBenchPolicy, startServiceOn, type BenchService } from "./bench-service.js";

export interface ServiceStartFigure {
  /** From the spawn to the first 200 of /ready: on an empty DATA_DIR, and, a value a round, on the one that this left behind. */
  freshMs: number;
  againMs: readonly number[];
  /** From the spawn of row (a)'s server, Node and uWebSockets.js alone, until it listens; a value a round. */
  bareMs: readonly number[];
  /** Resident memory of a process that has answered next to nothing yet, without PostgreSQL's. */
  idleMegabytes: number;
}

const STARTS_AGAIN = 3;

export interface MeasuredStart {
  service: BenchService;
  startMs: Omit<ServiceStartFigure, "idleMegabytes">;
}

/**
 * Starts the service with its embedded PostgreSQL as `npm start` does, ends it in order, and so on, with a bare server
 * by turns; the last service goes on.
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

/** proc(5), /proc/pid/status. */
export async function residentMegabytes(pid: number): Promise<number> {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return (Number(kib) * 1024) / 1e6;
}
