import "../src/platform/threads/navigator.js";
import { parentPort, workerData } from "node:worker_threads";
import { runBacktest } from "../src/features/policies/backtest/backtest-actor.js";
import type { BacktestReport, BacktestWorkerData } from "../src/features/policies/backtest/messages.js";
import { runThreadInBackground } from "../src/platform/threads/background.js";
import { createTenantDb } from "../src/platform/postgres/tenant-db.js";
import { now } from "../src/platform/timing/clock.js";
import { TUNING } from "../src/domain/vocabulary/tuning.js";

runThreadInBackground();
const { databaseUrl, retentionDays, job } = workerData as BacktestWorkerData;
const tenants = createTenantDb({
  retention: { days: retentionDays, now },
  connectionString: databaseUrl,
  connectionsMax: 2,
  statementTimeoutMs: TUNING.backtestStatementTimeoutMs,
  applicationName: "payinference-backtest",
});

let resume: () => void = () => undefined;
parentPort?.on("message", () => resume());

/** Sends one report, and waits until the front asks for the next report. */
const report = (line: BacktestReport): Promise<void> =>
  new Promise((resolve) => {
    resume = resolve;
    parentPort?.postMessage(line);
  });

await runBacktest({ tenant: tenants.of(job.workspaceId), job, report });
await tenants.end();
parentPort?.close();
