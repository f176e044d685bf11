import { ERASURE_TUNING } from "../../../domain/vocabulary/tuning/erasures.js";
import { createRefusalLog } from "../../../platform/postgres/refusals.js";
import type { Logger } from "../../../platform/telemetry/logger.js";
import type { Metrics } from "../../../platform/telemetry/metrics.js";
import { superviseThread } from "../../../platform/threads/supervisor.js";
import type { ErasureCommand, ErasureReport, ErasureWorkerData } from "./messages.js";
import type { UnfinishedErasures } from "./unfinished.js";

export interface ErasureThreadOptions {
  file: string;
  workerData: ErasureWorkerData;
  countUnfinished(): Promise<UnfinishedErasures>;
  /** Returns false while PostgreSQL is known to be unreachable, or while this host's clock has jumped. */
  mayRun(): boolean;
  metrics: Pick<Metrics, "workerCrashed" | "gauge">;
  log: Logger;
}

const STOP_TIMEOUT_MS = 500;

/**
 * The front thread's handle on the erasure thread, which has a lower priority. The front thread only checks whether an
 * erasure is due. The erasure thread starts when the first erasure is due.
 */
export function superviseErasures(options: ErasureThreadOptions) {
  const { file, workerData, countUnfinished, mayRun, metrics, log } = options;
  const unfinished = metrics.gauge(
    "payinference_erasures",
    "Erasures that are not done, and whether they have failed too often to go on.",
    ["state"],
  );
  for (const state of ["waiting", "failed"]) unfinished.set({ state }, 0);
  const refusals = createRefusalLog(log, "something could not be erased yet; trying again");
  const thread = superviseThread<ErasureCommand, ErasureReport>({
    name: "erasures",
    file,
    workerData,
    startsWithFirstCommand: true,
    onReport: ({ code, name }) => refusals(code, { name }),
    onCrash(error) {
      metrics.workerCrashed("erasures");
      log.error({ err: error }, "the thread that erases died and is replaced");
    },
  });
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking || !mayRun()) return;
    isLooking = true;
    try {
      const { waiting, failed, isDue } = await countUnfinished();
      unfinished.set({ state: "waiting" }, waiting);
      unfinished.set({ state: "failed" }, failed);
      if (isDue) thread.send({ type: "look" });
    } catch (error) {
      log.warn({ err: error }, "erasures cannot be looked for yet; trying again");
    } finally {
      isLooking = false;
    }
  };
  const looking = setInterval(() => void look(), ERASURE_TUNING.lookIntervalMs).unref();
  return {
    wake: () => void look(),
    async close(): Promise<void> {
      clearInterval(looking);
      await thread.stop({ type: "stop" }, STOP_TIMEOUT_MS);
    },
  };
}
