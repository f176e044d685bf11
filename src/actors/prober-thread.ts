import type { LiveOutcome } from "../health/live-outcome.js";
import type { Logger } from "../telemetry/logger.js";
import type { Metrics } from "../telemetry/metrics.js";
import type { ProberCommand, ProberReport } from "./messages.js";
import { superviseThread } from "./supervisor.js";
import type { ProberWorkerData } from "./worker-data.js";

export interface ProberThreadOptions {
  file: string;
  workerData: ProberWorkerData;
  metrics: Metrics;
  log: Logger;
}

const STOP_TIMEOUT_MS = 1000;

/** The prober as the front thread sees it. */
export function superviseProber({ file, workerData, metrics, log }: ProberThreadOptions) {
  let onReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const thread = superviseThread<ProberCommand, ProberReport>({
    name: "prober",
    file,
    workerData,
    onReport(report) {
      if (report.type === "ready") onReady();
      if (report.type === "health") metrics.providerHealth(report.segments);
      if (report.type === "replica") {
        if (report.error === null) log.info("health snapshots are stored again");
        else log.error({ reason: report.error }, "health snapshots cannot be stored");
      }
    },
    onCrash(error) {
      metrics.workerCrashed("prober");
      log.error({ err: error }, "the prober thread died and is replaced");
    },
  });
  let outcomes: LiveOutcome[] = [];
  const sendOutcomes = (): void => {
    thread.send({ type: "outcomes", outcomes });
    outcomes = [];
  };
  return {
    /** Takes part from the next tick on. Those of one event-loop turn travel together. */
    recordOutcome(outcome: LiveOutcome): void {
      if (outcomes.push(outcome) === 1) setImmediate(sendOutcomes);
    },
    /** Resolves once every probed segment has its first snapshot. */
    ready,
    stop: () => thread.stop({ type: "stop" }, STOP_TIMEOUT_MS),
  };
}
