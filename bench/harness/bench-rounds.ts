import { setTimeout as sleep } from "node:timers/promises";
import type { Generator } from "./bench-processes.js";
import { createBusyMeter, familyCpuMs, processCpuMs } from "./cpu-time.js";

export type RowId = "a" | "b" | "c" | "d" | "e" | "f";

export interface Row {
  id: RowId;
  label: string;
  url: string;
  key: string;
  serverPid: number;
  /** The PostgreSQL that the row writes to, if any. */
  postmasterPid?: number;
  /**
   * Resolves to the moment when everything acknowledged since the start is stored. Present only in rows that reply
   * before they store.
   */
  drained?(acknowledged: number): Promise<number>;
  /** Ends the row's server before the bench ends, because an idle server takes 1 to 2 % of a core. */
  stop(): Promise<void>;
}

export interface Round {
  requestsPerSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  serverCpuMicros: number;
  /** NaN for rows without PostgreSQL. */
  postgresCpuMicros: number;
  generatorCpuMicros: number;
  /** Replies other than 200 and requests without a reply, by kind. Empty in a clean round. */
  faults: Record<string, number>;
}

export interface RoundPlan {
  durationMs: number;
  ratePerSecond?: number;
}

export const CONNECTIONS = 64;
const SETTLE_BUSY = 0.12;
const SETTLE_STEP_MS = 100;
const SETTLE_TIMEOUT_MS = 2_000;

/** Runs rounds. It keeps each row's total of acknowledgements, because PostgreSQL counts totals too. */
export function createRoundRunner(generator: Generator): (row: Row, plan: RoundPlan) => Promise<Round> {
  const acknowledged = new Map<RowId, number>();
  return async (row, plan) => {
    await settle();
    const serverCpuMs = processCpuMs(row.serverPid);
    const postgresCpuMs = row.postmasterPid === undefined ? Number.NaN : familyCpuMs(row.postmasterPid);
    const result = await generator.run({ url: row.url, key: row.key, connections: CONNECTIONS, ...plan });
    const repliedMs = performance.now();
    const ok = result.statuses[200] ?? 0;
    acknowledged.set(row.id, (acknowledged.get(row.id) ?? 0) + ok);
    // A decision counts once it is stored, so the drain after the last reply is part of the row's time.
    const drainMs =
      row.drained === undefined
        ? 0
        : Math.max(0, (await row.drained(acknowledged.get(row.id) ?? 0)) - repliedMs);
    // Checkpoints and similar work belong to a row's cost, if they happen before the next row.
    if (row.postmasterPid !== undefined) await settle();
    const perRequest = (cpuMs: number): number => (cpuMs * 1000) / Math.max(1, ok);
    return {
      requestsPerSecond: ok / ((result.elapsedMs + drainMs) / 1000),
      p50Ms: result.latency.percentileMs(50),
      p95Ms: result.latency.percentileMs(95),
      p99Ms: result.latency.percentileMs(99),
      serverCpuMicros: perRequest(processCpuMs(row.serverPid) - serverCpuMs),
      postgresCpuMicros:
        row.postmasterPid === undefined
          ? Number.NaN
          : perRequest(familyCpuMs(row.postmasterPid) - postgresCpuMs),
      generatorCpuMicros: perRequest(result.generatorCpuMs),
      faults: faultsOf(result),
    };
  };
}

export function faultsOf(result: {
  statuses: Record<number, number>;
  failures: Record<string, number>;
}): Record<string, number> {
  const statuses = Object.entries(result.statuses).filter(([status]) => status !== "200");
  return {
    ...Object.fromEntries(statuses.map(([status, count]) => [`status ${status}`, count])),
    ...result.failures,
  };
}

/** Waits until the machine is quiet, so that one row's after-effects do not disturb the next. */
export async function settle(): Promise<void> {
  const busy = createBusyMeter();
  for (let waitedMs = 0; waitedMs < SETTLE_TIMEOUT_MS; waitedMs += SETTLE_STEP_MS) {
    await sleep(SETTLE_STEP_MS);
    if (!(busy() > SETTLE_BUSY)) return;
  }
}

/** The median. For an even count it is the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
