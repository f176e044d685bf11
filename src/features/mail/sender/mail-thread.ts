import { MAIL_TUNING } from "../queries/mail-tuning.js";
import type { Logger } from "../../../platform/telemetry/logger.js";
import type { Metrics } from "../../../platform/telemetry/metrics.js";
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
 * The front thread's handle on the thread that sends letters, at a lower priority: TLS would delay decisions. The front
 * only looks whether one is due. A node that never has a letter never has the thread.
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
  let isLooking = false;
  let failing = false;
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (!isReachable()) return;
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, "letters cannot be looked for yet; trying again");
      failing = true;
    }
  };
  const looking = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void run(async () => {
      if (await isDue()) thread.send({ type: "look" });
    }).finally(() => (isLooking = false));
  }, MAIL_TUNING.lookIntervalMs).unref();
  const count = async (): Promise<void> => {
    const counts = await sweep();
    waiting.set(counts.waiting);
    failed.set(counts.failed);
  };
  const sweeping = setInterval(() => void run(count), MAIL_TUNING.sweepIntervalMs).unref();
  return {
    async close(): Promise<void> {
      clearInterval(looking);
      clearInterval(sweeping);
      await thread.stop({ type: "stop" }, STOP_TIMEOUT_MS);
    },
  };
}
