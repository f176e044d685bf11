import type { Logger } from "../../platform/telemetry/logger.js";
import type { Metrics } from "../../platform/telemetry/metrics.js";
import { superviseThread } from "../../platform/threads/supervisor.js";
import type { LogCopyCommand, LogCopyReport, LogCopyWorkerData } from "./messages.js";

export interface LogCopyThreadOptions {
  file: string;
  workerData: LogCopyWorkerData;
  metrics: Pick<Metrics, "workerCrashed" | "logCopy">;
  log: Logger;
}

const STOP_TIMEOUT_MS = 1000;

/**
 * CH-7: the front thread's handle on the thread that copies the log. The thread starts at once, and waits for
 * PostgreSQL and ClickHouse by itself.
 */
export function superviseLogCopy({ file, workerData, metrics, log }: LogCopyThreadOptions) {
  const { logCopy } = metrics;
  let failed = "";
  const note = (report: LogCopyReport): void => {
    logCopy.sent("decision", report.decisions);
    logCopy.sent("outcome", report.outcomes);
    logCopy.sent("review", report.reviews);
    logCopy.left(report.left);
    if (report.lagSeconds !== null) logCopy.lag(report.lagSeconds);
    for (const { where, reason } of report.failures) {
      logCopy.failed(where);
      // A repeated failure is logged only once, because the thread retries all the time.
      if (failed !== `${where} ${reason}`) {
        log.warn({ where, reason }, "the log's copy in ClickHouse waits; trying again");
      }
      failed = `${where} ${reason}`;
    }
    if (report.left > 0) {
      log.error(
        { records: report.left },
        "ClickHouse did not take records in time: reconcile the log's copy",
      );
    }
    if (report.decisions + report.outcomes + report.reviews === 0) return;
    if (failed !== "") log.info("the log is copied to ClickHouse again");
    failed = "";
  };
  const thread = superviseThread<LogCopyCommand, LogCopyReport>({
    name: "log-copy",
    file,
    workerData,
    onReport: note,
    onCrash(error) {
      metrics.workerCrashed("log-copy");
      log.error({ err: error }, "the thread that copies the log to ClickHouse died and is replaced");
    },
  });
  return { close: () => thread.stop({ type: "stop" }, STOP_TIMEOUT_MS) };
}
