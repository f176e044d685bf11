import "./shared/navigator.js";
import { DataDirError } from "./actors/data-dir.js";
import { DatabaseStartError } from "./actors/database-start.js";
import { readSettings, SettingsError } from "./config/settings.js";
import { demoRequest } from "./demo.js";
import { ListenError } from "./http/server.js";
import { startService, type Service } from "./service.js";
import { runHelpersInBackground } from "./shared/background.js";
import { createLogger, type Logger } from "./telemetry/logger.js";

/** Settings → service → signals. Exit 0 after a clean stop, 1 when it cannot start or has to give up. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  runHelpersInBackground();
  const log = createLogger(settings.logLevel);
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught exception");
    process.exit(1);
  });
  const starting = startService(settings, log);
  stopOnSignal(starting, log);
  const service = await starting;
  const url = `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${service.port}`;
  const state = service.isReady() ? "is ready" : "waits for PostgreSQL, and decides from what it knew last,";
  process.stdout.write(
    `PayInference ${state} at ${url} (metrics: ${settings.metricsHost}:${service.metricsPort}/metrics)\n`,
  );
  const demo = service.demo();
  if (demo === null) return;
  process.stdout.write(`
  API key  ${demo.api_key}
  login    ${demo.email} / ${demo.password}

Try it:

curl -s ${url}/v1/decision \\
  -H 'x-api-key: ${demo.api_key}' \\
  -H 'content-type: application/json' \\
  -d '${demoRequest(demo, settings.providers)}'

`);
}

function stopOnSignal(starting: Promise<Service>, log: Logger): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "stopping");
    const service = await starting;
    await service.stop();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        log.fatal({ err: error }, "could not stop cleanly");
        process.exit(1);
      });
    });
  }
}

main().catch((error: unknown) => {
  // What an operator can mend is one line; anything else is a bug and keeps its stack.
  const isOperators = [SettingsError, DataDirError, DatabaseStartError, ListenError].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(
    `payinference: ${isOperators ? (error as Error).message : String((error as Error)?.stack ?? error)}\n`,
  );
  process.exit(1);
});
