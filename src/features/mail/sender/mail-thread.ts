import { MAIL_TUNING } from "../queries/mail-tuning.js";
import type { Logger } from "../../../platform/telemetry/logger.js";
import type { Metrics } from "../../../platform/telemetry/metrics.js";
import { watchOutbox } from "../../../platform/threads/outbox-watch.js";
import { superviseThread } from "../../../platform/threads/supervisor.js";
import type { MailCounts } from "../queries/mail.js";
import type { MailCommand, MailReport, MailWorkerData } from "./messages.js";

export interface MailThreadOptions {
  file: string;
  workerData: MailWorkerData;
  /** Resolves to true if some letter is due. */
  isDue(): Promise<boolean>;
  sweep(): Promise<MailCounts>;
  /** Returns false while PostgreSQL is known to be unreachable. */
  isReachable(): boolean;
  metrics: Pick<Metrics, "workerCrashed" | "gauge">;
  log: Logger;
}

const STOP_TIMEOUT_MS = 500;

/**
 * The front thread's handle on the mail thread. That thread has a lower priority, because TLS would delay decisions.
 * The front only checks whether a letter is due, and starts the thread for the first one.
 */
export function superviseMail(options: MailThreadOptions) {
  const { file, workerData, isDue, sweep, isReachable, metrics, log } = options;
  const waiting = metrics.gauge("payinference_mails_waiting", "Letters of all nodes that wait to be sent.");
  const failed = metrics.gauge("payinference_mails_failed", "Letters of the last 7 days that were given up.");
  const thread = superviseThread<MailCommand, MailReport>({
    name: "mail",
    file,
    workerData,
    startsWithFirstCommand: true,
    onReport: ({ of, code }) => log.warn({ of, code }, "a letter could not be sent yet"),
    onCrash(error) {
      metrics.workerCrashed("mail");
      log.error({ err: error }, "the thread that sends letters died and is replaced");
    },
  });
  const unwatch = watchOutbox({
    of: "letters",
    isDue,
    onDue: () => thread.send({ type: "look" }),
    async sweep() {
      const counts = await sweep();
      waiting.set(counts.waiting);
      failed.set(counts.failed);
    },
    isReachable,
    lookIntervalMs: MAIL_TUNING.lookIntervalMs,
    sweepIntervalMs: MAIL_TUNING.sweepIntervalMs,
    log,
  });
  return {
    async close(): Promise<void> {
      unwatch();
      await thread.stop({ type: "stop" }, STOP_TIMEOUT_MS);
    },
  };
}
