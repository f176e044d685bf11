import "./platform/threads/navigator.js";
import { DataDirError } from "./platform/node/data-dir.js";
import { DatabaseStartError } from "./platform/postgres/database-start.js";
import { readSettings, SettingsError } from "./platform/settings/settings.js";
import { ListenError } from "./path/front/server.js";
import { startService } from "./service.js";
import { now } from "./platform/timing/clock.js";
import { runHelpersInBackground } from "./platform/threads/background.js";
import { readyReport, waitingReport, type StartReport } from "./composition/start-report.js";
import { stopOnSignals } from "./composition/stop-signals.js";
import { createLogger } from "./platform/telemetry/logger.js";

/** Starts the service by its settings. The exit code is 0 after a clean stop, and 1 after a failed start or stop. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  runHelpersInBackground();
  const log = createLogger(settings.logLevel);
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught exception");
    process.exit(1);
  });
  // A closed terminal accepts no more output, and a clean stop must not fail because of that.
  process.stdout.on("error", () => undefined);
  const abortStart = new AbortController();
  const starting = startService(settings, log, abortStart.signal);
  stopOnSignals({
    signals: process,
    starting,
    abortStart,
    graceMs: settings.shutdownGraceMs,
    log,
    exit: (code) => process.exit(code),
  });
  const service = await starting.catch((error: unknown) => {
    // A signal aborted the start. The code that handles the signal also ends the process.
    if (abortStart.signal.aborted) return null;
    throw error;
  });
  if (service === null) return;
  const report: StartReport = {
    url: urlOf(settings.host, service.port),
    metricsUrl: `${urlOf(settings.metricsHost, service.metricsPort)}/metrics`,
    isTerminal: process.stdout.isTTY,
    now: () => new Date(now()),
  };
  const atOnce = await Promise.race([service.prepared, Promise.resolve(null)]);
  if (atOnce === null) process.stdout.write(waitingReport(report));
  const { demo } = atOnce ?? (await service.prepared);
  process.stdout.write(readyReport(report, demo, settings.providers));
}

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

main().catch((error: unknown) => {
  // An error that an operator can fix is one line. Any other error is a bug and keeps its stack.
  const isOperators = [SettingsError, DataDirError, DatabaseStartError, ListenError].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(
    `payinference: ${isOperators ? (error as Error).message : String((error as Error)?.stack ?? error)}\n`,
  );
  process.exit(1);
});
