import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { Logger } from "../../../platform/telemetry/logger.js";
import type { Metrics } from "../../../platform/telemetry/metrics.js";
import { createRefusalLog } from "../../../platform/postgres/refusals.js";
import { watchOutbox } from "../../../platform/threads/outbox-watch.js";
import { superviseThread } from "../../../platform/threads/supervisor.js";
import type { WaitingDeliveries } from "../queries/due.js";
import type { EventCommand, EventReport, EventWorkerData } from "./messages.js";

export interface EventThreadOptions {
  file: string;
  workerData: EventWorkerData;
  /** Resolves to true if some delivery may be due. */
  isDue(): Promise<boolean>;
  dropOld(): Promise<unknown>;
  noteWaiting(): Promise<void>;
  /** Returns false while PostgreSQL is known to be unreachable. */
  isReachable(): boolean;
  metrics: Pick<Metrics, "workerCrashed">;
  log: Logger;
}

const STOP_TIMEOUT_MS = 500;

/** EVT-14: the waiting deliveries, on /metrics. A node that does not send has zeros. */
export function createEventGauges({ gauge }: Pick<Metrics, "gauge">): (waiting: WaitingDeliveries) => void {
  const deliveriesWaiting = gauge(
    "payinference_event_deliveries_waiting",
    "Deliveries of all nodes to endpoints that are enabled and wait to be sent, up to 10,000.",
  );
  const overdue = gauge(
    "payinference_event_deliveries_overdue_seconds",
    "How long the oldest delivery that is due has waited, at endpoints that take what they are sent.",
  );
  return ({ deliveries, overdueSeconds }) => {
    deliveriesWaiting.set(deliveries);
    overdue.set(overdueSeconds);
  };
}

/**
 * The front thread's handle on the thread that sends events. That thread has a lower priority, because signatures and
 * TLS would delay decisions. The front thread only looks whether something is due. A node that never has an event never
 * has the thread.
 */
export function superviseEvents({
  file,
  workerData,
  isDue,
  dropOld,
  noteWaiting,
  isReachable,
  metrics,
  log,
}: EventThreadOptions) {
  const refusals = createRefusalLog(log, "PostgreSQL refuses what events need");
  const thread = superviseThread<EventCommand, EventReport>({
    name: "events",
    file,
    workerData,
    startsWithFirstCommand: true,
    onReport: ({ code, name }) => refusals(code, { name }),
    onCrash(error) {
      metrics.workerCrashed("events");
      log.error({ err: error }, "the thread that sends events died and is replaced");
    },
  });
  const unwatch = watchOutbox({
    of: "events",
    isDue,
    onDue: () => thread.send({ type: "look" }),
    sweep: () => Promise.all([dropOld(), noteWaiting()]),
    isReachable,
    lookIntervalMs: TUNING.eventLookIntervalMs,
    sweepIntervalMs: TUNING.eventSweepIntervalMs,
    log,
  });
  return {
    async close(): Promise<void> {
      unwatch();
      await thread.stop({ type: "stop" }, STOP_TIMEOUT_MS);
    },
  };
}
