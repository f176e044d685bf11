import { EXPORT_TUNING } from "../queries/export-tuning.js";
import { createRefusalLog } from "../../../platform/postgres/refusals.js";
import type { Logger } from "../../../platform/telemetry/logger.js";
import type { Metrics } from "../../../platform/telemetry/metrics.js";
import { superviseThread } from "../../../platform/threads/supervisor.js";
import type { Unfinished } from "../queries/unfinished.js";
import type { ExportCommand, ExportReport, ExportWorkerData } from "./messages.js";

export interface ExportThreadOptions {
  file: string;
  workerData: ExportWorkerData;
  countUnfinished(): Promise<Unfinished>;
  sweep(): Promise<void>;
  /** Returns false while PostgreSQL is known to be unreachable. */
  isReachable(): boolean;
  metrics: Pick<Metrics, "workerCrashed" | "exports" | "logCopy">;
  log: Logger;
}

const STOP_TIMEOUT_MS = 500;

/**
 * The front thread's handle on the thread that makes exports, at a lower priority. The front thread only counts the
 * waiting exports. The thread starts with the first of them.
 */
export function superviseExports(options: ExportThreadOptions) {
  const { file, workerData, countUnfinished, sweep, isReachable, metrics, log } = options;
  const refusals = createRefusalLog(log, "PostgreSQL refuses what exports need");
  const thread = superviseThread<ExportCommand, ExportReport>({
    name: "exports",
    file,
    workerData,
    startsWithFirstCommand: true,
    onReport(report) {
      if (report.type === "older_query") metrics.logCopy.queried("exports", report.query);
      else refusals(report.code, { name: report.name });
    },
    onCrash(error) {
      metrics.workerCrashed("exports");
      log.error({ err: error }, "the thread that makes exports died and is replaced");
    },
    // The leases of a dead thread still name this node. The new thread ends them.
    onReplaced: () => thread.send({ type: "look" }),
  });
  let isLooking = false;
  let failing = false;
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (!isReachable()) return;
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, "exports cannot be looked for yet; trying again");
      failing = true;
    }
  };
  const look = async (): Promise<void> => {
    const unfinished = await countUnfinished();
    metrics.exports("waiting", unfinished.waiting);
    metrics.exports("running", unfinished.running);
    if (unfinished.isDue) thread.send({ type: "look" });
  };
  const looking = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void run(look).finally(() => (isLooking = false));
  }, EXPORT_TUNING.lookIntervalMs).unref();
  const sweeping = setInterval(() => void run(sweep), EXPORT_TUNING.sweepIntervalMs).unref();
  return {
    async close(): Promise<void> {
      clearInterval(looking);
      clearInterval(sweeping);
      await thread.stop({ type: "stop" }, STOP_TIMEOUT_MS);
    },
  };
}
